import PiuPiu
import TestSupport
import Testing

@Suite("What all operators keep", .timeLimit(.minutes(10)))
struct LinkingOperatorTests {
    @Test(
        "COLD, ONCE, MEMO: one run gives its value to all awaiters", arguments: LinkingOperator.allCases,
        Holding.allCases)
    func value(operation: LinkingOperator, holding: Holding) async {
        let runs = Counter(), keeper = Keeper<Int>(holding)
        let work = { @Sendable () async -> Int in runs.increment() + 6 }
        let future = operation.applied(to: keeper.keep(ResponseFuture(operation: work)))
        #expect(runs.value == 0)
        #expect(future.settledResult == nil && future.status == .created)
        let others = (0..<4).map { _ in future.awaitedInTask() }
        #expect(await future.ending == "value 7")
        for other in others { #expect(await other.value == "value 7") }
        if let parent = keeper.future { #expect(await parent.ending == "value 7") }
        #expect(await future.ending == "value 7")
        #expect(runs.value == 1)
        #expect((try? future.settledResult?.get()) == 7)
    }

    @Test(
        "SAME: an error and a cancellation of the work pass through, no matter who holds it",
        arguments: LinkingOperator.allCases,
        Holding.allCases)
    func errors(operation: LinkingOperator, holding: Holding) async {
        let failing = Keeper<Int>(holding), cancelled = Keeper<Int>(holding), forgotten = Keeper<Int>(holding)
        #expect(
            await operation.applied(to: failing.keep(ResponseFuture { throw Mishap(number: 3) })).ending
                == "error Mishap(number: 3)")
        #expect(
            await operation.applied(to: cancelled.keep(ResponseFuture { throw CancellationError() })).ending
                == "cancelled")
        let action = ResponseFuture<Int> { (_: ResponseFuture<Int>) in }
        await #expect(throws: FutureError.self) {
            try await operation.applied(to: forgotten.keep(action)).value
        }
    }

    @Test("ORDER: callbacks, after a value and after an error", arguments: LinkingOperator.allCases)
    func callbacks(operation: LinkingOperator) async {
        let log = EventLog()
        func send(_ future: ResponseFuture<Int>) {
            operation.applied(to: future)
                .success { log("success \($0)") }.error { log("error \($0)") }
                .completion { log("completion") }.send()
        }
        send(ResponseFuture { 7 })
        #expect(await log.all(2) == ["success 7", "completion"])
        send(ResponseFuture { throw Mishap(number: 3) })
        #expect(await log.all(4).suffix(2) == ["error Mishap(number: 3)", "completion"])
    }

    @Test(
        "UP, PROMPT: once cancel() returns, deaf work without other awaiters is cancelled",
        arguments: LinkingOperator.allCases, Holding.allCases)
    func cancelled(operation: LinkingOperator, holding: Holding) async {
        let deaf = DeafWork(.operation), keeper = Keeper<Int>(holding), log = EventLog()
        defer { deaf.release() }
        let future = operation.applied(to: keeper.keep(deaf.future()))
            .cancellation { log("cancellation") }.completion { log("completion") }
        future.send()
        await deaf.reached()
        future.cancel()
        #expect(future.status == .cancelled)
        if let parent = keeper.future { #expect(parent.status == .cancelled) }
        #expect(await log.all(2) == ["cancellation", "completion"])
        #expect(throws: CancellationError.self) { try future.settledResult?.get() }
    }

    @Test(
        "DOWN, PROMPT: a cancelled await of deaf work ends at once", arguments: LinkingOperator.allCases,
        Holding.allCases)
    func left(operation: LinkingOperator, holding: Holding) async {
        let deaf = DeafWork(.operation), keeper = Keeper<Int>(holding)
        defer { deaf.release() }
        let task = Awaiting { operation.applied(to: keeper.keep(deaf.future())) }
        await deaf.reached()
        task.cancel()
        #expect(await task.ending == "cancelled")
        await keeper.cancelled()
    }

    @Test("SHARED: a parent with another awaiter goes on", arguments: LinkingOperator.allCases)
    func shared(operation: LinkingOperator) async {
        let gate = Gate(), parent = waiting(at: gate)
        let other = parent.awaitedInTask()
        await gate.reached()
        let task = Awaiting(now: operation.applied(to: parent))
        task.cancel()
        #expect(await task.ending == "cancelled")
        #expect(parent.status == .started)
        gate.open()
        #expect(await other.value == "value 1")
    }

    @Test("EARLY: a future cancelled before its start leaves its parent cold", arguments: LinkingOperator.allCases)
    func early(operation: LinkingOperator) async {
        let runs = Counter()
        let parent = ResponseFuture { runs.increment() }
        let future = operation.applied(to: parent)
        future.cancel()
        future.send()
        #expect(await future.ending == "cancelled")
        #expect(runs.value == 0 && parent.status == .created)
        #expect(await parent.ending == "value 1")
    }

    @Test("NO-MAIN: awaiting works while the main thread is blocked", arguments: LinkingOperator.ofBackground)
    func blockedMain(operation: LinkingOperator) async {
        let ending = await MainQueue.blocked { await operation.applied(to: ResponseFuture { 7 }).ending }
        #expect(ending == "value 7")
    }

    @Test("SYNC-START: a legacy action runs inside send()", arguments: LinkingOperator.onCaller)
    func syncStart(operation: LinkingOperator) async {
        let runs = Counter()
        let future = operation.applied(
            to: ResponseFuture<Int> { (promise: ResponseFuture<Int>) in
                runs.increment()
                promise.succeed(with: 7)
            })
        future.send()
        #expect(runs.value == 1)
        #expect(await future.ending == "value 7")
    }

    @Test("Updates pass through", arguments: LinkingOperator.allCases, Holding.allCases)
    func updates(operation: LinkingOperator, holding: Holding) async {
        let log = EventLog(), promise = Box<ResponseFuture<Int>>(), begun = Gate(), keeper = Keeper<Int>(holding)
        let action = ResponseFuture<Int> { (future: ResponseFuture<Int>) in
            promise.value = future
            begun.open()
        }
        operation.applied(to: keeper.keep(action)).onUpdate { log("\($0.stage)") }.onSuccess { log("\($0)") }.send()
        await begun.opened()
        promise.value?.update(with: TransferUpdate(stage: .started))
        promise.value?.succeed(with: 7)
        #expect(await log.all(2) == ["started", "7"])
    }

    @Test("INHERIT: the work has its starter's task-local values", arguments: LinkingOperator.allCases)
    func inherit(operation: LinkingOperator) async {
        let future = operation.applied(to: ResponseFuture { () async -> Int in Locals.number })
        #expect(await Locals.$number.withValue(5) { await future.ending } == "value 5")
    }

    @Test("UNSENT, RELEASE: captures are released", arguments: LinkingOperator.allCases)
    func released(operation: LinkingOperator) async {
        let population = Population()
        func future() -> ResponseFuture<Int> {
            let member = population.member()
            return operation.applied(to: ResponseFuture { () async -> Int in withExtendedLifetime(member) { 7 } })
        }
        var unsent: ResponseFuture<Int>? = future()
        #expect(population.count == 1)
        _ = unsent.take()
        #expect(population.count == 0)
        let kept = future()
        #expect(await kept.ending == "value 7")
        await population.extinct()
        #expect(kept.status == .success)
    }

    @Test("DEPTH: a chain of 2,000 runs, and is cancelled", arguments: LinkingOperator.onCaller)
    func depth(operation: LinkingOperator) async {
        func chain(_ root: ResponseFuture<Int>) -> ResponseFuture<Int> {
            (0..<2_000).reduce(root) { future, _ in operation.applied(to: future) }
        }
        #expect(await chain(ResponseFuture { 7 }).ending == "value 7")
        let gate = Gate(), cancelled = Gate()
        let future = chain(waiting(at: gate, cancelled: cancelled))
        future.send()
        await gate.reached()
        future.cancel()
        #expect(future.status == .cancelled)
        await cancelled.opened()
    }
}

/// A task-local value.
enum Locals {
    @TaskLocal static var number = 0
}
