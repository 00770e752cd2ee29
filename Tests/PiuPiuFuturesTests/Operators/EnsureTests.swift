import PiuPiu
import TestSupport
import Testing

@Suite("Closures that always run", .timeLimit(.minutes(10)))
struct EnsureTests {
    private static let ends: [@Sendable () throws -> Int] = [
        { 1 }, { throw Mishap(number: 2) }, { throw CancellationError() },
    ]

    @Test(
        "ONCE: it runs before a value, an error or a cancellation is delivered", arguments: 0..<3, Holding.allCases)
    func beforeTheOutcome(number: Int, holding: Holding) async {
        let log = EventLog(), keeper = Keeper<Int>(holding)
        let work = { @Sendable () async throws -> Int in try Self.ends[number]() }
        let future = keeper.keep(ResponseFuture(operation: work)).ensure { log("ensure") }
        let next = future.thenResult { result in
            log("next")
            return try result.get()
        }
        #expect(log.events.isEmpty)
        _ = next.onSuccess { _ in log("end") }.onFailure { _ in log("end") }.onCancellation { log("end") }
        next.send()
        let ending = await next.ending
        #expect(ending == ["value 1", "error Mishap(number: 2)", "cancelled"][number])
        #expect(await log.all(number == 2 ? 2 : 3).first == "ensure")
        #expect(await future.ending == ending)
        #expect(log.events.filter { $0 == "ensure" }.count == 1)
    }

    @Test("The outcome waits for an async closure, which a cancellation doesn't cancel")
    func asyncClosure() async {
        let gate = Gate(), log = EventLog()
        let future = ResponseFuture { 1 }.ensure {
            await gate.pass()
            log("ensured \(Task.isCancelled)")
        }
        future.send()
        await gate.reached()
        #expect(future.status == .started)
        let awaiting = Awaiting(now: future)
        future.cancel()
        #expect(await awaiting.ending == "cancelled")
        #expect(log.events.isEmpty)
        gate.open()
        #expect(await log.all(1) == ["ensured false"])
    }

    @Test(
        "SAME, PROMPT: after a cancellation of the chain it runs at once, beside deaf work",
        arguments: DeafWork.Kind.allCases,
        Holding.allCases)
    func cancelledBelow(kind: DeafWork.Kind, holding: Holding) async {
        let deaf = DeafWork(kind), keeper = Keeper<Int>(holding), log = EventLog()
        defer { deaf.release() }
        let task = Awaiting {
            keeper.keep(deaf.future()).ensure { log("ensure \(Task.isCancelled)") }.then { $0 }
        }
        await deaf.reached()
        task.cancel()
        #expect(await task.ending == "cancelled")
        #expect(await log.all(1) == ["ensure false"])
    }

    @Test("SHARED: it also runs when the work above goes on for another awaiter")
    func sharedAbove() async {
        let gate = Gate(), work = waiting(at: gate), log = EventLog()
        let other = work.awaitedInTask()
        let future = work.ensure { log("ensure") }
        future.send()
        await gate.reached()
        future.cancel()
        #expect(await log.all(1) == ["ensure"])
        #expect(work.status == .started)
        gate.open()
        #expect(await other.value == "value 1")
        #expect(log.events == ["ensure"])
    }

    @Test("EARLY: it doesn't run for a chain that never starts")
    func never() async {
        let runs = Counter(), population = Population()
        func make() -> ResponseFuture<Int> {
            let member = population.member()
            return ResponseFuture { 1 }.ensure { withExtendedLifetime(member) { _ = runs.increment() } }
        }
        var unsent: ResponseFuture<Int>? = make()
        _ = unsent.take()
        let cancelled = make()
        cancelled.cancel()
        cancelled.send()
        #expect(await cancelled.ending == "cancelled")
        await population.extinct()
        #expect(runs.value == 0)
    }

    @Test("It runs exactly once for a chain cancelled right after its start", arguments: 0..<40)
    func cancelledAtOnce(lead: Int) async {
        let runs = Counter(), population = Population()
        func sent() -> ResponseFuture<Int> {
            let member = population.member()
            let future = ResponseFuture { 1 }.ensure { withExtendedLifetime(member) { _ = runs.increment() } }
            future.send()
            return future
        }
        let future = sent()
        await onTwoThreads(lead: lead - 20) {
            future.cancel()
        } _: {
            _ = future.status
        }
        await population.extinct()
        #expect(runs.value == 1)
    }

    @Test("It runs if an action above cancels the chain")
    func cancelledByAction() async {
        let own = Box<ResponseFuture<Int>>(), log = EventLog()
        let future = ResponseFuture<Int> { (promise: ResponseFuture<Int>) in
            own.value?.cancel()
            promise.succeed(with: 1)
        }.ensure { log("ensure") }
        own.value = future
        future.send()
        #expect(future.status == .cancelled)
        #expect(await log.all(1) == ["ensure"])
        own.value = nil
    }

    @Test("INHERIT, BACKGROUND: it has the starter's task-local values after a cancellation, off the main queue")
    func inherit() async {
        let gate = Gate(), log = EventLog()
        func future() -> ResponseFuture<Int> {
            waiting(at: gate).ensure { log("\(Locals.number) \(MainQueue.isCurrent)") }
        }
        let first = future()
        await MainActor.run { Locals.$number.withValue(5) { first.send() } }
        await gate.reached()
        await MainActor.run { Locals.$number.withValue(6) { first.cancel() } }
        #expect(await log.all(1) == ["5 false"])
    }

    @Test("Several on one chain run in order, each once")
    func several() async {
        let log = EventLog()
        let future = ResponseFuture { 1 }.ensure { log("first") }.then { $0 + 1 }.ensure { log("second") }
        async let other = future.ending
        #expect(await future.ending == "value 2")
        #expect(await other == "value 2")
        #expect(log.events == ["first", "second"])
    }
}
