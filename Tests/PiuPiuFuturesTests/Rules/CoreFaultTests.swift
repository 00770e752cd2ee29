import PiuPiu
import TestSupport
import Testing

@Suite("Faults of the core: fulfill, progress, errors", .timeLimit(.minutes(10)))
struct CoreFaultTests {
    // MARK: fulfill

    @Test("INTEREST: a future that was to fulfill a settled one stays cold or is cancelled", arguments: 0..<4)
    func fulfillSettled(kind: Int) async {
        let gate = Gate()
        let target: ResponseFuture<Int>
        switch kind {
        case 0: target = ResponseFuture { 1 }
        case 1: target = ResponseFuture { $0.succeed(with: 1) }
        case 2: target = ResponseFuture(result: 0).then { $0 + 1 }
        default:
            target = ResponseFuture {
                await Task {}.value
                return 1
            }
        }
        #expect(await target.ending == "value 1")
        let source = waiting(at: gate)
        source.fulfill(target)
        #expect(source.status == .created)
        gate.open()
        #expect(await target.ending == "value 1")
    }

    @Test("EARLY: fulfill of a future that has ended leaves a shared parent cold", arguments: [true, false])
    func fulfillEnded(isCancelled: Bool) async {
        let shared = ResponseFuture { 7 }
        let (future, promise) = ResponseFuture<Int>.pending()
        if isCancelled { future.cancel() } else { promise.succeed(with: 1) }
        shared.then { $0 }.fulfill(promise)
        #expect(shared.status == .created)
        #expect(await shared.ending == "value 7")
    }

    @Test("INTEREST: a future that fulfills another is cancelled when the other's own work settles it")
    func fulfillRunning() async {
        let targetGate = Gate(), sourceGate = Gate(), cancelled = Gate()
        let target = waiting(at: targetGate)
        target.send()
        await targetGate.reached()
        let source = waiting(at: sourceGate, cancelled: cancelled)
        source.fulfill(target)
        await sourceGate.reached()
        targetGate.open()
        #expect(await target.ending == "value 1")
        await cancelled.opened()
        #expect(await source.ending == "cancelled")
    }

    @Test("INTEREST: a future stays cold or is cancelled if its target's own action settles, before or after")
    func fulfillInAction() async {
        for isBefore in [true, false] {
            let gate = Gate(), source = waiting(at: gate)
            let target = ResponseFuture<Int> { future in
                if isBefore { future.succeed(with: 2) }
                source.fulfill(future)
                future.succeed(with: 2)
            }
            target.send()
            #expect(await target.ending == "value 2")
            #expect([.created, .cancelled].contains(source.status))
            gate.open()
        }
    }

    // MARK: progress of PiuPiu 1.4

    @available(*, deprecated)
    @MainActor
    @Test("AFTER-CANCEL: no other callback gets the update in which one cancelled", arguments: [true, false])
    func progressAfterCancel(isProgressFirst: Bool) async {
        let log = EventLog(), promise = Box<ResponseFuture<Int>>()
        let future = ResponseFuture<Int> { promise.value = $0 }
        func cancel(_ event: String) {
            log(event)
            future.cancel()
        }
        if isProgressFirst {
            _ = future.progress { _ in cancel("progress") }.updated { _ in cancel("updated") }
        } else {
            _ = future.updated { _ in cancel("updated") }.progress { _ in cancel("progress") }
        }
        future.cancellation { log("cancellation") }.completion { log("completion") }.send()
        promise.value?.update(progress: 0.5)
        promise.value?.update(progress: 0.7)
        let events = await log.all(3)
        #expect(["progress", "updated"].contains(events.first))
        #expect(events.dropFirst() == ["cancellation", "completion"])
        promise.value = nil
    }

    // MARK: the first of several errors

    @Test("GROUPS: of several errors known at once, the join has the first part's", arguments: [true, false])
    func firstError(isSettled: Bool) async {
        let settled = (1...4).map { ResponseFuture<Int>(error: Mishap(number: $0)) }
        for future in settled { _ = await future.result }
        func part(_ number: Int) -> ResponseFuture<Int> {
            isSettled ? settled[number - 1] : ResponseFuture(error: Mishap(number: number))
        }
        for round in 0..<2_000 {
            let future: ResponseFuture<Int>
            switch round % 4 {
            case 0: future = part(1).join(part(2)).then { $0 + $1 }
            case 1: future = ResponseFuture<[Int]>(childFutures: (1...4).map(part)).then { $0.count }
            case 2: future = ResponseFuture(result: 0).join(part(1), part(2), part(3)).then { $0.0 }
            default: future = part(1).parallelJoin { part(2) }.then { $0 + $1 }
            }
            let start = ContinuousClock.now, ending = await future.ending
            // On a busy machine a part may take longer to begin than the join waits for it: a tenth of a second at least.
            let isSlow = ContinuousClock.now - start >= .milliseconds(100)
            #expect(
                ending == "error Mishap(number: 1)" || isSlow && ending.hasPrefix("error Mishap"),
                "round \(round): \(ending)")
        }
    }

    /// A future whose work begins while another thread settles it.
    enum Begun: CaseIterable, Sendable {
        case synchronous, asynchronous, action, queued, chain, join

        var future: ResponseFuture<Int> {
            switch self {
            case .synchronous: ResponseFuture { 1 }
            case .asynchronous: ResponseFuture { () async throws -> Int in 1 }
            case .action: ResponseFuture<Int> { $0.succeed(with: 1) }
            case .queued: ResponseFuture { 1 }.then(on: .main) { $0 }
            case .chain: ResponseFuture<Int> { $0.succeed(with: 1) }.then { $0 }
            case .join: ResponseFuture<[Int]>(childFutures: [ResponseFuture { 1 }]).then { $0[0] }
            }
        }
    }

    /// The thread sanitizer would see a race.
    @Test("SETTLE: a future is settled from outside while its work begins", arguments: Begun.allCases, [true, false])
    func settledWhileItBegins(kind: Begun, isError: Bool) async {
        for round in 0..<200 {
            let future = kind.future
            await onTwoThreads(lead: round % 20 * 10 - 100) {
                future.send()
            } _: {
                isError ? future.fail(with: Mishap()) : future.succeed(with: 2)
            }
            let ending = await future.ending
            #expect(["value 1", isError ? "error Mishap(number: 0)" : "value 2"].contains(ending))
            #expect(await future.ending == ending)
        }
    }

    /// The thread sanitizer would see a race: between the threads nothing but the future orders what they do.
    @Test("SETTLE: a future is settled from outside while its action begins, which settles it later")
    func settledWhileItsActionBegins() async {
        var generator = SeededGenerator(seed: 17)
        for round in 0..<1_000 {
            let promise = Box<ResponseFuture<Int>>(), future = ResponseFuture<Int> { promise.value = $0 }
            let lead = Int.random(in: -300...300, using: &generator)
            await onTwoThreads(lead: lead, { future.send() }, { future.succeed(with: 2) })
            promise.value?.succeed(with: 1)
            let endings = [await future.ending, await future.ending]
            guard endings == ["value 2", "value 2"] else {
                Issue.record("round \(round), lead \(lead): \(endings)")
                return
            }
            promise.value = nil
        }
    }
}
