import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A clock whose sleep is deaf to cancellation.
private struct DeafClock: Clock {
    let gate = Gate()

    var now: ManualClock.Instant { ManualClock.Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { await gate.pass() }
}

@Suite("Retries that are cancelled", .timeLimit(.minutes(10)))
struct RetryCancellationTests {
    private let clock = ManualClock()
    private let sent = Counter()

    /// Always fails, and waits at a gate in one of the attempts.
    private func dispatcher(stoppingAt attempt: Int, _ gate: Gate, _ policy: RetryPolicy) -> some DataDispatcher {
        MockRouteTable(routes: [
            MockRoute(
                MockAnswer { [sent] request, _ in
                    if sent.increment() == attempt { try await gate.passUnlessCancelled() }
                    return Response.makeMockResponse(with: request, statusCode: .badGateway)
                })
        ]).retrying(policy)
    }

    @Test("R10 CANCEL: during each of the attempts", arguments: 1...3, [true, false])
    func attempts(attempt: Int, byTask: Bool) async throws {
        let gate = Gate(), log = EventLog()
        let future = dispatcher(stoppingAt: attempt, gate, .fixed(SkippingClock())).dataFuture(from: try request("GET"))
            .onFailure { _ in log("error") }.onCancellation { log("cancelled") }.onCompletion { log("completion") }
        let task = Task { await future.statusOrError }
        await gate.reached()
        if byTask { task.cancel() } else { future.cancel() }
        #expect(await task.value == "cancelled")
        #expect(await log.all(2) == ["cancelled", "completion"] && sent.value == attempt)
    }

    @Test("R10 CANCEL: during each of the waits, at once", arguments: 1...2, [true, false])
    func waits(wait: Int, byTask: Bool) async throws {
        let policy = RetryPolicy.fixed(clock)
        let future = dispatcher(stoppingAt: 9, Gate(), policy).dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrError }
        await clock.sleepers()
        if wait == 2 {
            clock.advance(by: .milliseconds(25))
            await clock.sleepers()
        }
        if byTask { task.cancel() } else { future.cancel() }
        #expect(await task.value == "cancelled")
        await clock.noSleepers()
        clock.advance(by: .seconds(60))
        #expect(sent.value == wait)
    }

    @Test("R6 BUDGET, R10 CANCEL: a retry that is cancelled in its wait costs nothing", arguments: 1...2)
    func unspent(wait: Int) async throws {
        let budget = RetryBudget(), closures = Population(), get = try request("GET"), host = try #require(get.url)
        let awaiting = Awaiting {
            let member = closures.member()
            var policy = RetryPolicy.fixed(clock)
            policy.budget = budget
            policy.decision = { _, _, isWanted in withExtendedLifetime(member) { isWanted } }
            return dispatcher(stoppingAt: 9, Gate(), policy).dataFuture(from: get)
        }
        await clock.sleepers()
        #expect(budget.tokens(for: host) == 486)
        if wait == 2 {
            clock.advance(by: .milliseconds(25))
            await clock.sleepers()
            #expect(budget.tokens(for: host) == 472)
        }
        awaiting.cancel()
        #expect(await awaiting.ending == "cancelled")
        // The work has ended, too.
        await closures.extinct()
        #expect(budget.tokens(for: host) == (wait == 1 ? 500 : 486))
    }

    @Test("R10 CANCEL, PROMPT: during a wait by a deaf clock; nothing is sent afterwards")
    func deafClock() async throws {
        let deaf = DeafClock(), closures = Population(), get = try request("GET")
        let awaiting = Awaiting {
            let member = closures.member()
            var policy = RetryPolicy.fixed(deaf)
            policy.decision = { _, _, isWanted in withExtendedLifetime(member) { isWanted } }
            return dispatcher(stoppingAt: 9, Gate(), policy).dataFuture(from: get)
        }
        await deaf.gate.reached()
        awaiting.cancel()
        #expect(await awaiting.ending == "cancelled")
        deaf.gate.open()
        await closures.extinct()
        #expect(sent.value == 1)
    }

    @Test("EARLY: before the start, and when the task was cancelled before")
    func early() async throws {
        let dispatcher = dispatcher(stoppingAt: 9, Gate(), .fixed(clock))
        let future = dispatcher.dataFuture(from: try request("GET"))
        future.cancel()
        #expect(await future.statusOrError == "cancelled")
        let other = dispatcher.dataFuture(from: try request("GET"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await other.statusOrError
        }
        #expect(await task.value == "cancelled" && sent.value == 0)
    }

    @Test("SHARED: one awaiter's cancellation doesn't end the retries for another")
    func shared() async throws {
        let future = dispatcher(stoppingAt: 9, Gate(), .fixed(clock)).dataFuture(from: try request("GET"))
        let stays = Awaiting(now: future.then { "\($0.head.status ?? 0)" })
        let leaves = Awaiting(now: future)
        await clock.sleepers()
        leaves.cancel()
        #expect(await leaves.ending == "cancelled")
        clock.advance(by: .milliseconds(25))
        await clock.sleepers()
        clock.advance(by: .milliseconds(50))
        #expect(await stays.ending == "value 502")
        #expect(sent.value == 3)
    }

    @Test("R6 BUDGET, R10 CANCEL: a decision that cancels the exchange costs no retry")
    func decision() async throws {
        let future = Locked<ResponseFuture<Response<Data?>>?>(nil)
        var policy = RetryPolicy.fixed(clock)
        policy.decision = { _, _, _ in
            future.withLock { $0 }?.cancel()
            return true
        }
        let get = try request("GET")
        let cancelled = dispatcher(stoppingAt: 9, Gate(), policy).dataFuture(from: get)
        future.withLock { $0 = cancelled }
        #expect(await cancelled.statusOrError == "cancelled" && sent.value == 1)
        let work = try #require(policy.budget), url = try #require(get.url)
        #expect(work.tokens(for: url) == 500)
    }
}
