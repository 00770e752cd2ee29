import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Pending futures, and settledResult", .timeLimit(.minutes(10)))
struct PendingTests {
    @Test("SETTLE, MEMO: the promise settles before or after the start, once", arguments: [true, false])
    func settled(isEarly: Bool) async {
        let (future, promise) = ResponseFuture<Int>.pending()
        #expect(future.settledResult == nil && future.status == .created)
        if isEarly { promise.succeed(with: 1) }
        let log = EventLog()
        future.success { log("success \($0)") }.completion { log("completion") }.send()
        let others = (0..<3).map { _ in future.then { $0 + 1 }.awaitedInTask() }
        if !isEarly { promise.succeed(with: 1) }
        promise.succeed(with: 9)
        promise.fail(with: Mishap())
        #expect(await future.ending == "value 1")
        for other in others { #expect(await other.value == "value 2") }
        #expect(await log.all(2) == ["success 1", "completion"])
        // An earlier cancellation would stop the delivery (contract rule AFTER-CANCEL).
        promise.cancel()
        #expect((try? future.settledResult?.get()) == 1)
    }

    @Test("Failures, results and cancellations")
    func otherEnds() async {
        let (failing, first) = ResponseFuture<Int>.pending()
        first.fail(with: Mishap(number: 2))
        #expect(await failing.ending == "error Mishap(number: 2)")
        let (completed, second) = ResponseFuture<Int>.pending()
        second.complete(with: .success(3))
        #expect(await completed.ending == "value 3")
        let (cancelled, third) = ResponseFuture<Int>.pending()
        third.fail(with: CancellationError())
        #expect(await cancelled.ending == "cancelled")
    }

    @Test(
        "NEVER-HANG: a dropped promise fails the future, and the error names where it was made",
        arguments: [true, false])
    func dropped(isStarted: Bool) async {
        let line: UInt = #line + 1
        var (future, promise): (ResponseFuture<Int>, ResponseFuture<Int>?) = ResponseFuture<Int>.pending()
        if isStarted { future.send() }
        promise?.update(with: TransferUpdate(stage: .started))
        _ = promise.take()
        await #expect(throws: FutureError.abandoned(file: #fileID, line: line)) { try await future.value }
        await #expect(throws: FutureError.abandoned(file: #fileID, line: line)) { try await future.then { $0 }.value }
    }

    @Test("NEVER-HANG: a promise that was sent itself, and dropped, fails the future, and hangs nobody")
    func sentPromise() async {
        var (future, promise): (ResponseFuture<Int>, ResponseFuture<Int>?) = ResponseFuture<Int>.pending()
        promise?.send()
        #expect(future.status == .started)
        _ = promise.take()
        future.send()
        #expect(await future.ending.hasPrefix("error abandoned"))

        let box = Box<ResponseFuture<Int>>()
        let action = ResponseFuture<Int> { promise in
            promise.send()
            box.value = promise
        }
        action.send()
        box.value = nil
        #expect(await action.ending.hasPrefix("error abandoned"))
    }

    @Test("UNSENT: the callbacks of a future that was dropped unsent are released, and never called")
    func droppedUnsent() async {
        let members = Population(), log = EventLog()
        func promise() -> ResponseFuture<Int> {
            let (future, promise) = ResponseFuture<Int>.pending(), member = members.member()
            _ = future.success { _ in withExtendedLifetime(member) { log("success") } }
                .onCompletion { withExtendedLifetime(member) { log("completion") } }
            return promise
        }
        let promise = promise()
        await members.extinct()
        promise.succeed(with: 1)
        #expect(await promise.ending == "value 1")
        #expect(log.events.isEmpty)
    }

    @Test("RETAIN: a late callback of a pending future retains it, too")
    func lateCallback() async {
        var (future, promise): (ResponseFuture<Int>?, ResponseFuture<Int>) = ResponseFuture<Int>.pending()
        future?.send()
        promise.succeed(with: 1)
        #expect(await future?.ending == "value 1")
        let reference = Weak(future), log = EventLog()
        _ = future.take()?.onSuccess { @MainActor _ in log("\(reference.object != nil)") }
        #expect(await log.all(1) == ["true"])
    }

    @Test(
        "UP, DOWN: cancelling the future notifies the promise, and later settlements are ignored",
        arguments: [true, false])
    func cancelled(byAwaiter: Bool) async {
        let (future, promise) = ResponseFuture<Int>.pending()
        let told = Gate()
        _ = promise.onCancellation { told.open() }
        let task = Awaiting(now: future.then { $0 })
        byAwaiter ? task.cancel() : future.cancel()
        #expect(await task.ending == "cancelled")
        await told.opened()
        promise.succeed(with: 1)
        #expect(await future.ending == "cancelled")
        #expect(promise.status == .cancelled)
    }

    @Test("RETAIN, UNSENT: a sent future lives until its last callback; the promise retains no unsent one")
    func lifetime() async {
        let log = EventLog()
        var (future, promise): (ResponseFuture<Int>?, ResponseFuture<Int>) = ResponseFuture<Int>.pending()
        let sent = Weak(future ?? promise)
        future?.success { log("\($0) \(sent.object != nil)") }.completion { log("completion") }.send()
        _ = future.take()
        #expect(sent.object != nil)
        promise.succeed(with: 1)
        #expect(await log.all(2) == ["1 true", "completion"])
        let (unsent, other) = ResponseFuture<Int>.pending()
        let weak = Weak(unsent)
        _ = consume unsent
        #expect(weak.object == nil)
        other.succeed(with: 1)
    }

    @Test("Pending futures work in chains, joins and races", arguments: LinkingOperator.allCases)
    func inChains(operation: LinkingOperator) async {
        let (future, promise) = ResponseFuture<Int>.pending()
        let chained = operation.applied(to: future)
        let join = chained.join(future)
        join.send()
        ResponseFuture { 7 }.fulfill(promise)
        #expect(await join.then { $0 + $1 }.ending == "value 14")
        let (slow, promiseOfSlow) = ResponseFuture<Int>.pending()
        let told = Gate()
        _ = promiseOfSlow.onCancellation { told.open() }
        #expect(await ResponseFuture.race(slow, future).ending == "value 7")
        // If the race was decided before this one began, it stays cold (EARLY).
        if promiseOfSlow.status != .created { await told.opened() }
    }

    @Test("settledResult starts nothing, and gives the outcome once there is one")
    func look() async {
        let runs = Counter()
        let future = ResponseFuture { () async throws -> Int in
            if runs.increment() == 1 { throw Mishap(number: 5) }
            return 1
        }
        #expect(future.settledResult == nil)
        #expect(runs.value == 0 && future.status == .created)
        #expect(await future.ending == "error Mishap(number: 5)")
        #expect(throws: Mishap(number: 5)) { try future.settledResult?.get() }
        let gate = Gate(), running = waiting(at: gate)
        running.send()
        await gate.reached()
        #expect(running.settledResult == nil)
        running.cancel()
        #expect(throws: CancellationError.self) { try running.settledResult?.get() }
        let synchronous = ResponseFuture { 1 }.then { $0 + 1 }
        #expect(await synchronous.ending == "value 2")
        #expect((try? synchronous.settledResult?.get()) == 2)
    }
}

@Suite("Optional values", .timeLimit(.minutes(10)))
struct UnwrappingTests {
    @Test("unwrap gives the value, or throws an error that is made only then")
    func unwrap() async {
        let made = Counter()
        @Sendable func error() -> Mishap { Mishap(number: made.increment()) }
        #expect(await ResponseFuture<Int?> { 7 }.unwrap(orThrow: error()).ending == "value 7")
        #expect(made.value == 0)
        #expect(await ResponseFuture<Int?> { nil }.unwrap(orThrow: error()).ending == "error Mishap(number: 1)")
        let nested = ResponseFuture<Int??> { .some(nil) }.unwrap(orThrow: error())
        #expect(await nested.ending == "value nil")
        #expect(await ResponseFuture<Int?> { nil }.unwrap(orThrow: CancellationError()).ending == "cancelled")
    }

    @Test("compactMap fails without a value, and names its line")
    func compactMap() async {
        #expect(await ResponseFuture { "7" }.compactMap { Int($0) }.ending == "value 7")
        let line: UInt = #line + 1
        let failing = ResponseFuture { "x" }.compactMap { Int($0) }
        await #expect(throws: FutureError.missingValue(file: #fileID, line: line)) { try await failing.value }
        #expect(FutureError.missingValue(file: "A.swift", line: 7).localizedDescription.contains("A.swift:7"))
        let throwing = ResponseFuture { "x" }.compactMap { _ -> Int? in throw Mishap() }
        #expect(await throwing.ending == "error Mishap(number: 0)")
    }

    @Test("compactMapValues leaves out elements without a value")
    func compactMapValues() async {
        #expect(await ResponseFuture { ["1", "x", "3"] }.compactMapValues { Int($0) }.ending == "value [1, 3]")
        #expect(await ResponseFuture { [String]() }.compactMapValues { Int($0) }.ending == "value []")
        #expect(await ResponseFuture { Set(["1"]) }.compactMapValues { Int($0) }.ending == "value [1]")
    }
}
