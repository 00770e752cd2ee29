import Dispatch
import PiuPiu
import TestSupport
import Testing

/// Each test fails with a break of the core that no other test noticed.
@Suite("Breaks that went unnoticed: work, joins and actors", .timeLimit(.minutes(10)))
struct UnnoticedWorkBreakTests {
    /// What is cancelled inside a transform.
    enum Cancelled: CaseIterable, Sendable { case last, link, awaiter }

    @Test(
        "UP: no transform runs after a cancellation, even in a chain without suspensions",
        arguments: Cancelled.allCases, Holding.reachable)
    func transformAfterCancel(who: Cancelled, holding: Holding) async {
        for isSuspended in [true, false] {
            for isSent in [true, false] where !isSent || who != .awaiter {
                let log = EventLog(), keeper = Keeper<Int>(holding), task = Box<Awaiting>(), ready = Gate()
                let isGone = Box<Bool>()
                let make = { @Sendable in
                    let root = isSuspended ? waiting(at: ready) : ResponseFuture { 1 }
                    let first = root.then { number in
                        if who == .awaiter {
                            // The task that runs this, or the one that awaits it, whichever it is.
                            task.value?.cancel()
                        } else if let future = keeper.future {
                            future.cancel()
                        } else {
                            // A chain may release a link before its turn; then there is nothing to cancel.
                            isGone.value = true
                            task.value?.cancel()
                        }
                        log("first")
                        return number
                    }
                    let second = first.then { number in
                        log("second")
                        return number
                    }
                    let third = (who == .link ? keeper.keep(second) : second).then { number in
                        log("third")
                        return number
                    }
                    return who == .link ? third : keeper.keep(third)
                }
                if isSent {
                    make().onCancellation { log("cancellation") }.onCompletion { log("completion") }.send()
                    if isSuspended { ready.open() }
                    await log.wait(for: 3)
                    if who == .link, isGone.value != nil { continue }
                    #expect(log.events.sorted() == ["cancellation", "completion", "first"])
                } else {
                    let awaiting = Awaiting {
                        // So that it is known to the transform.
                        if !isSuspended { while task.value == nil {} }
                        return make()
                    }
                    task.value = awaiting
                    if isSuspended { ready.open() }
                    #expect(await awaiting.ending == "cancelled")
                    // The awaiter doesn't wait for the transform, which may not have returned yet (PROMPT).
                    #expect(await log.all(1) == ["first"])
                    #expect(who == .link || isGone.value == nil)
                }
            }
        }
    }

    @Test(
        "UP, RELEASE: a cancelled chain releases its steps at once, though the shared future that it waits for goes on",
        arguments: [true, false])
    func cancelledBelowShared(isSent: Bool) async {
        // In some rounds at least it waits when the cancellation comes.
        for _ in 0..<50 {
            let gate = Gate(), shared = waiting(at: gate), members = Population()
            let make = { @Sendable in
                let first = members.member(), second = members.member()
                return shared.then { number in withExtendedLifetime(first) { number } }
                    .then { number async in withExtendedLifetime(second) { number } }
            }
            let sent = isSent ? make() : nil, task = isSent ? nil : Awaiting { make() }
            sent?.send()
            await gate.reached()
            shared.send()
            sent?.cancel()
            task?.cancel()
            await members.extinct()
            gate.open()
            #expect(await shared.ending == "value 1")
        }
    }

    @Test("fulfill disowns the work of its target: it never runs", arguments: 0..<3)
    func fulfillDisowns(kind: Int) async {
        let runs = Counter(), promise = Box<ResponseFuture<Int>>()
        let target: ResponseFuture<Int>
        switch kind {
        case 0: target = ResponseFuture { runs.increment() }
        case 1: target = ResponseFuture<Int> { $0.succeed(with: runs.increment()) }
        default: target = ResponseFuture(result: 1).then { _ in runs.increment() }
        }
        let source = ResponseFuture<Int> { promise.value = $0 }
        source.fulfill(target)
        #expect(source.status == .started)
        target.send()
        let awaiter = Awaiting(now: target)
        promise.value?.succeed(with: 7)
        promise.value = nil
        #expect(await awaiter.ending == "value 7")
        #expect(runs.value == 0)
    }

    @Test("RELEASE: fulfill by a future that has settled releases the work of its target")
    func fulfillReleases() async {
        let population = Population()
        let source = ResponseFuture { 7 }
        #expect(await source.ending == "value 7")
        let target = { [member = population.member()] in
            ResponseFuture {
                withExtendedLifetime(member) {}
                return 1
            }
        }()
        source.fulfill(target)
        #expect(population.count == 0)
        #expect(await target.ending == "value 7")
    }

    @Test("The errors of firstSuccess come in the order of the futures, whichever failed first")
    func errorsInOrder() async {
        for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
            let futures = ControlledFutures(), log = EventLog()
            let parts = (0..<4).map { futures.future($0) }
            let failed = parts.map { part in
                let gate = Gate()
                _ = part.onFailure { _ in gate.open() }
                return gate
            }
            ResponseFuture.firstSuccess(of: parts)
                .onFailure { error in
                    let errors = (error as? AllFuturesFailedError)?.errors ?? []
                    log("\(errors.compactMap { ($0 as? Mishap)?.number })")
                }
                .send()
            await futures.log.wait(for: 4)
            for number in order {
                futures.fail(number)
                await failed[number].opened()
            }
            #expect(await log.all(1) == ["[0, 1, 2, 3]"])
        }
    }

    @Test("GROUPS: a join that fails cancels its suspended parts", arguments: Holding.allCases)
    func suspendedSiblings(holding: Holding) async {
        for form in PromptTests.JoinForm.allCases {
            let gate = Gate(), failure = Gate(), cancelled = Gate(), keeper = Keeper<Int>(holding)
            let task = Awaiting {
                form.future(
                    keeper.keep(waiting(at: gate, cancelled: cancelled).then { $0 }),
                    ResponseFuture<Int> { () async throws -> Int in
                        try await failure.passUnlessCancelled()
                        throw Mishap(number: 3)
                    })
            }
            await gate.reached()
            failure.open()
            #expect(await task.ending == "error Mishap(number: 3)")
            await cancelled.opened()
            await keeper.cancelled()
        }
    }

    @Test("GROUPS, INTEREST: a part that starts to wait as another fails keeps no token of its future")
    func lateSiblings() async {
        for round in 0..<200 {
            let gate = Gate(), log = EventLog(), shared = waiting(at: gate).onCancellation { log("cancelled") }
            let late = { ResponseFuture { 1 }.flatMap { _ in shared } }
            let failing = ResponseFuture<Int>(error: Mishap(number: 3))
            let joined =
                round.isMultiple(of: 2)
                ? ResponseFuture<[Int]>(childFutures: [late(), failing, late()]).then { $0.count }
                : late().join(failing).then { $0 + $1 }
            #expect(await Awaiting(now: joined).ending == "error Mishap(number: 3)")
            // Either it was never started, or nobody is interested in it any more.
            if shared.status == .created { shared.cancel() }
            #expect(await log.all(1) == ["cancelled"], "round \(round)")
        }
    }

    @MainActor
    @Test(
        "BACKGROUND: an awaiter on the main actor runs no work there, no matter who holds it",
        arguments: Holding.allCases)
    func awaiterOnMainActor(holding: Holding) async throws {
        for isVariable in [true, false] {
            let keeper = Keeper<[Bool]>(holding)
            let make = {
                keeper.keep(
                    ResponseFuture { [MainQueue.isCurrent] }
                        .then { $0 + [MainQueue.isCurrent] }
                        .flatMap { places in ResponseFuture { places + [MainQueue.isCurrent] } }
                        .thenResult { try $0.get() + [MainQueue.isCurrent] })
            }
            if isVariable {
                let future = make()
                #expect(try await future.value == [false, false, false, false])
            } else {
                #expect(try await make().value == [false, false, false, false])
            }
            #expect(MainQueue.isCurrent)
        }
    }

    @Test(
        "DEPTH: flatMaps inside flatMaps, closures inside transforms, all of them synchronous",
        arguments: [true, false])
    func nesting(isAwaited: Bool) async {
        @Sendable func countdown(_ number: Int) -> ResponseFuture<Int> {
            ResponseFuture { number }.then { $0 }.flatMap { number in
                number == 0 ? ResponseFuture(result: 0) : countdown(number - 1).then { $0 + 1 }
            }
            .then { $0 }
        }
        let log = EventLog()
        if isAwaited {
            #expect(await Awaiting { countdown(2_000) }.ending == "value 2000")
        } else {
            countdown(2_000).onSuccess { log("\($0)") }.send()
            #expect(await log.all(1) == ["2000"])
        }
    }
}
