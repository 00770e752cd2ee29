import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: policies above it", .timeLimit(.minutes(10)))
struct CachePolicyTests: TimedCacheTests {
    let clock = WallClock()
    let cache: HTTPCache

    init() { cache = HTTPCache(clock) }

    private func policy() -> RetryPolicy { .fixed(SkippingClock()) }

    @Test("R3 WHAT, R6 BUDGET: what a cache refuses on its own is not asked for again, and costs nothing")
    func refusals() async throws {
        let origin = CacheOrigin { _, _ in .init(status: 503) }, policy = policy(), host = try url("http://host")
        let dispatcher = dispatcher(over: origin).retrying(policy)
        let tokens = try #require(policy.budget).tokens(for: host)
        let response = try await dispatcher.dataFuture(from: try get("/a", ["Cache-Control": "only-if-cached"])).value
        #expect(response.status == .gatewayTimeout && response.head.earlierAttempts.isEmpty)
        #expect(policy.budget?.tokens(for: host) == tokens && origin.count == 0)
        // One of the server's is.
        _ = try await dispatcher.dataFuture(from: try get()).value
        #expect(origin.count == 3)
    }

    @Test(
        "R3 WHAT: after an error that a cache has just stored, the next attempt asks the server",
        arguments: [
            URLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataElseLoad,
            .reloadIgnoringLocalAndRemoteCacheData,
        ], [false, true])
    func storedError(cachePolicy: URLRequest.CachePolicy, isValidating: Bool) async throws {
        let origin = CacheOrigin { _, number in
            number == 1 ? .init(status: 503, fields: [("Cache-Control", "max-age=60")]) : .init(body: "a")
        }
        let network = dispatcher(over: origin), policy = policy()
        let whole: any DataDispatcher =
            isValidating ? network.validating().retrying(policy) : network.retrying(policy)
        var request = try get()
        request.cachePolicy = cachePolicy
        let response = try await whole.dataFuture(from: request).value
        #expect(response.status == .ok && response.head.earlierAttempts.count == 1)
        #expect(origin.count == 2)
        // A policy that says more stays.
        let fields = origin.requests.withLock { $0.map { $0.value(forHTTPHeaderField: "Cache-Control") } }
        let demand = cachePolicy == .reloadIgnoringLocalAndRemoteCacheData ? "no-cache" : nil
        #expect(fields == [demand, demand])
    }

    @Test("R3 WHAT: nor is an error that a cache has just stored the answer to a later attempt that fails")
    func storedErrorAfterFailure() async throws {
        let origin = CacheOrigin { _, number in
            switch number {
            case 1: .init(status: 503, fields: [("Cache-Control", "private")])
            case 2: .init(error: .cannotConnect)
            default: .init(body: "a")
            }
        }
        let response = try await dispatcher(over: origin).retrying(policy()).dataFuture(from: try get()).value
        #expect(response.status == .ok && response.head.earlierAttempts.count == 2)
        #expect(origin.count == 3)
    }

    @Test(
        "HEDGE, R3 WHAT: after an error that a cache has just stored, the next copy asks the server",
        arguments: [false, true])
    func storedErrorOfCopy(isValidating: Bool) async throws {
        let origin = CacheOrigin { _, number in
            number == 1 ? .init(status: 503, fields: [("Cache-Control", "max-age=60")]) : .init(body: "a")
        }
        let network = dispatcher(over: origin), policy = HedgePolicy.test(ManualClock())
        let whole: any DataDispatcher =
            isValidating ? network.validating().hedged(policy) : network.hedged(policy)
        #expect(await whole.dataFuture(from: try get()).statusOrError == "200")
        #expect(origin.count == 2)
    }

    /// Answers the first copy of a hedge with an error that the cache stores, once the second copy is in flight, too.
    private func answerFirstOfTwo(
        _ request: URLRequest, by engine: DirectedEngine, after clock: ManualClock
    ) async throws {
        await engine.started(1)
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        await engine.started(2)
        let fields = [(name: "Cache-Control", value: "max-age=60")]
        let url = try #require(request.url), head = TransferHead(url: url, status: 503, fields: fields)
        engine.tell(0, .head(head, request: request))
        engine.tell(0, .finished)
    }

    @Test("HEDGE, R3 WHAT: nor does a retry get an error that a cache has stored for any copy of a hedge inside")
    func storedErrorOfEarlierCopy() async throws {
        let engine = DirectedEngine(), clock = ManualClock(), request = try get()
        let telling = Telling(base: URLRequestDispatcher(engine: engine).cached(in: cache))
        let dispatcher = telling.hedged(.test(clock)).retrying(policy())
        let task = Task { await dispatcher.dataFuture(from: request).statusOrError }
        try await answerFirstOfTwo(request, by: engine, after: clock)
        await telling.ended.wait(for: 1)
        engine.fail(1, .connectionLost)
        await engine.started(3)
        engine.answer(2)
        #expect(await task.value == "200")
    }

    @Test("HEDGE, R3 WHAT: nor does a retry inside a hedge get an error that a cache has stored for another copy")
    func storedErrorOfOtherCopy() async throws {
        let engine = DirectedEngine(), clock = ManualClock(), request = try get()
        let network = URLRequestDispatcher(engine: engine).cached(in: cache)
        let dispatcher = network.retrying(policy()).hedged(.test(clock))
        let task = Task { await dispatcher.dataFuture(from: request).statusOrError }
        try await answerFirstOfTwo(request, by: engine, after: clock)
        await engine.started(3)
        let answering = Task {
            await engine.started(4)
            engine.answer(3)
        }
        engine.fail(1, .connectionLost)
        #expect(await task.value == "200")
        answering.cancel()
    }

    @Test("K5 STALE: a stored response that no error has replaced still answers the second attempt")
    func staleInSecondAttempt() async throws {
        let origin = CacheOrigin { _, number in
            switch number {
            case 1: .init(fields: [("Cache-Control", "max-age=1"), ("ETag", "\"a\"")], body: "a")
            case 2: .init(status: 503, fields: [("Cache-Control", "private")])
            default: .init(error: .cannotConnect)
            }
        }
        let dispatcher = dispatcher(over: origin).retrying(policy()), request = try get()
        _ = try await dispatcher.dataFuture(from: request).value
        clock.advance(by: 10)
        let response = try await dispatcher.dataFuture(from: request).value
        #expect(response.data == Data("a".utf8) && response.cacheStatus?.isStaleOnError == true)
        #expect(origin.count == 3)
    }

    @Test("R6 BUDGET: only an answer of the server is a success, not what a cache has instead")
    func budget() async throws {
        let origin = CacheOrigin { request, number in
            let fields = [("Cache-Control", "max-age=60, stale-if-error=999"), ("ETag", "\"a\"")]
            return switch request.url?.path() {
            case "/a" where number == 1: .init(fields: fields, body: "a")
            case "/a": .init(error: .cannotConnect)
            case "/c": .init()
            default: .init(status: 503)
            }
        }
        let policy = policy(), host = try url("http://host"), dispatcher = dispatcher(over: origin).retrying(policy)
        _ = try await dispatcher.dataFuture(from: try get()).value
        // Takes tokens that a success would give back.
        _ = try await dispatcher.dataFuture(from: try get("/b")).value
        let tokens = try #require(policy.budget).tokens(for: host)
        let fresh = try await dispatcher.dataFuture(from: try get()).value.cacheStatus
        #expect(fresh?.isHit == true && fresh?.isStaleOnError == false)
        clock.advance(by: 100)
        let stale = try await dispatcher.dataFuture(from: try get()).value.cacheStatus
        #expect(stale?.detail == "stale-on-error" && stale?.isStaleOnError == true)
        #expect(policy.budget?.tokens(for: host) == tokens)
        _ = try await dispatcher.dataFuture(from: try get("/c")).value
        #expect(policy.budget?.tokens(for: host) == tokens + 1)
    }

    @Test("C4 NEUTRAL: each observer of a shared exchange is told what the cache did, also for each redirect")
    func observers() async throws {
        let gate = Gate(), observers = [ObservedEvents(), ObservedEvents()]
        let origin = CacheOrigin(gate: gate) { request, _ in
            let fields = [("Cache-Control", "max-age=60")]
            return request.url?.path() == "/a"
                ? .init(status: 302, fields: fields + [("Location", "/b")]) : .init(fields: fields, body: "b")
        }
        let base = dispatcher(over: origin).coalescing()
        let tasks = try observers.map { observer in
            let future = base.observed(by: observer).dataFuture(from: try get())
            return Task { try await future.value }
        }
        for observer in observers { await observer.event("admitted") }
        await origin.received(1)
        gate.open()
        for task in tasks { _ = try await task.value }
        for observer in observers {
            let words = await observer.ended()
            #expect(words.filter { $0.hasPrefix("cache ") }.count == 2, "\(words)")
        }
        #expect(origin.count == 2)
        let late = ObservedEvents()
        _ = try await base.observed(by: late).dataFuture(from: try get("/b")).value
        #expect(await late.ended().filter { $0.hasPrefix("cache PiuPiu; hit") }.count == 1)
    }
}
