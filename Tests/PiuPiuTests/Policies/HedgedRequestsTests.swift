import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which requests are copied, and how often beside other policies.
@Suite("What is hedged", .timeLimit(.minutes(10)))
struct HedgedRequestsTests {
    private let clock = ManualClock()

    /// How many requests there are if all fail at once.
    private func count(_ request: URLRequest, _ policy: HedgePolicy? = nil) async -> Int {
        let server = scripted(.number(500))
        _ = await server.hedged(policy ?? .test(clock)).dataFuture(from: request).statusOrError
        return server.exchanges.count
    }

    @Test("R2 IDEMPOTENT: idempotent methods, keys, and requests that the caller marked")
    func idempotent() async throws {
        for method in ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"] {
            #expect(await count(try request(method)) == 2, "\(method)")
        }
        for method in ["POST", "PATCH", "CONNECT", "OWN"] {
            #expect(await count(try request(method)) == 1, "\(method)")
        }
        var keyed = try request("POST")
        keyed.setValue("key", forHTTPHeaderField: "Idempotency-Key")
        #expect(await count(keyed) == 2)
        var policy = HedgePolicy.test(clock)
        policy.isRepeatable = { $0.url?.path() == "/posts" }
        #expect(await count(try request("POST"), policy) == 2)
        #expect(await count(try request("POST", "https://example.com/a"), policy) == 1)
        policy.methods = []
        #expect(await count(try request("GET", "https://example.com/a"), policy) == 1)
    }

    @Test("HEDGE: a POST isn't sent twice, even if no server can have got it")
    func unsent() async throws {
        let server = scripted(.broken(.cannotConnect))
        #expect(
            await server.hedged(.test(clock)).dataFuture(from: try request("POST")).statusOrError == "cannotConnect")
        #expect(server.exchanges.count == 1)
    }

    @Test("R3 WHAT: the user can change the sets")
    func sets() async throws {
        var policy = HedgePolicy.test(clock)
        policy.statuses = [.notFound]
        policy.errors = []
        #expect(await count(try request("GET"), policy) == 1)
        let server = scripted(.number(404), .broken(.timedOut))
        #expect(await server.hedged(policy).dataFuture(from: try request("GET")).statusOrError == "timedOut")
        #expect(server.exchanges.count == 2)
        for copies in [1, 0, Int.min] { #expect(await count(try request("GET"), .test(clock, copies: copies)) == 1) }
    }

    @Test(
        "R8 BODY: data, files and chunks that can be made again; not chunks that come once, nor a changed file")
    func bodies() async throws {
        let folder = try TemporaryFolder(), put = try request("PUT")
        let file = try folder.file("file", containing: "content")
        func count(_ body: TransferBody, before: @escaping @Sendable () -> Void = {}) async -> Int {
            let server = RecordingDispatcher(
                MockRouteTable(routes: [
                    MockRoute(
                        MockAnswer { request, _ in
                            before()
                            return Response.makeMockResponse(with: request, statusCode: .badGateway)
                        })
                ]))
            _ = await server.hedged(.test(clock)).uploadFuture(from: put, with: body).statusOrError
            return server.exchanges.count
        }
        let once = AsyncStream<Data> { $0.finish() }
        #expect(await count(.none) == 2)
        #expect(await count(.data(Data("data".utf8))) == 2)
        #expect(await count(.file(file)) == 2)
        #expect(await count(.chunks(TransferChunks { AsyncStream<Data> { $0.finish() } })) == 2)
        #expect(await count(.chunks(TransferChunks(once))) == 1)
        let changed = await count(.file(file)) { try? Data("other content".utf8).write(to: file) }
        #expect(changed == 1)
        var streamed = put
        streamed.httpBodyStream = InputStream(data: Data("stream".utf8))
        #expect(await self.count(streamed) == 1)
    }

    @Test("HEDGE: no download, resumable or not")
    func downloads() async throws {
        let folder = try TemporaryFolder(), server = scripted(.number(500)), get = try request("GET")
        let dispatcher = server.hedged(.test(clock))
        for isResumable in [true, false] {
            let future = dispatcher.downloadFuture(from: get, to: folder.file("file"), isResumable: isResumable)
            #expect(await future.statusOrError == "500")
        }
        #expect(server.exchanges.count == 2)
    }

    @Test(
        "R6 BUDGET: 300 requests to a server that fails everything are 335, or 400 if it answers 429",
        arguments: [500, 429])
    func budget(status: Int) async throws {
        let server = scripted(.number(status)), get = try request("GET")
        let dispatcher = server.hedged(.test(clock))
        let statuses = await withTaskGroup(of: String.self) { group in
            for _ in 0..<300 { group.addTask { await dispatcher.dataFuture(from: get).statusOrError } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses == ["\(status)"] && server.exchanges.count == (status == 429 ? 400 : 335))
    }

    @Test("R6 BUDGET: a server that is always slow gets one copy in 14 requests, not one for each")
    func slowServer() async throws {
        let clock = clock, get = try request("GET"), policy = HedgePolicy.test(clock)
        let host = try url("https://example.com")
        var copies = 0
        for _ in 0..<500 {
            let server = AnsweringServer(), hasBudget = policy.budget?.tokens(for: host) ?? 0 >= 14
            let future = server.dispatcher.hedged(policy).dataFuture(from: get)
            let task = Task { await future.statusOrError }
            await server.sent.wait(for: 1)
            await clock.sleepers()
            clock.advance(by: .seconds(1))
            if hasBudget { await server.sent.wait(for: 2) }
            server.answer(hasBudget ? 2 : 1, .status(200))
            #expect(await task.value == "200")
            copies += server.sent.events.count - 1
        }
        // 500 tokens, and one for each success.
        #expect(copies == (500 + 499) / 14)
    }

    @Test("R6 BUDGET: with the budget of a retry, a success gives back once", arguments: [true, false])
    func sharedBudget(isOverRetry: Bool) async throws {
        let get = try request("GET"), host = try url("https://example.com"), retry = RetryPolicy.fixed(SkippingClock())
        let server = scripted(.number(500), .number(200)), shared = try #require(retry.budget), own = RetryBudget()
        var hedge = HedgePolicy.test(clock)
        check(shared.take(100, for: host), true)
        check(own.take(100, for: host), true)
        func send() async -> [Int] {
            let both: any DataDispatcher =
                isOverRetry ? server.retrying(retry).hedged(hedge) : server.hedged(hedge).retrying(retry)
            _ = await both.dataFuture(from: get).statusOrError
            return [shared, own].map { $0.tokens(for: host) }
        }
        hedge.budget = shared
        // 14 taken, 14 given.
        check(await send(), [400, 400])
        check(await send(), [401, 400])
        hedge.budget = own
        check(await send(), [402, 401])
    }

    @Test("R6 BUDGET: a retry that decides nothing gives nothing back, so the hedge does", arguments: [true, false])
    func undecidedRetry(isInside: Bool) async throws {
        let host = try url("https://example.com"), outer = RetryPolicy.fixed(SkippingClock())
        var hedge = HedgePolicy.test(clock)
        hedge.budget = outer.budget
        check(outer.budget?.take(100, for: host), true)
        let inner = scripted(.number(200)).retrying(.fixed(SkippingClock()))
        let dispatcher: any DataDispatcher =
            isInside ? inner.retrying(outer).hedged(hedge) : inner.hedged(hedge).retrying(outer)
        _ = await dispatcher.dataFuture(from: try request("GET")).statusOrError
        check(outer.budget?.tokens(for: host), 401)
    }

    @Test("R1 COUNT: beside a retry, inside or outside, a failure causes no more than the retry's attempts")
    func besideRetry() async throws {
        let get = try request("GET"), retry = RetryPolicy.fixed(SkippingClock())
        let inside = scripted(.number(500)), outside = scripted(.number(500)), both = scripted(.number(500))
        let first = try await inside.retrying(retry).hedged(.test(clock)).dataFuture(from: get).value
        #expect(inside.exchanges.count == 3 && first.earlierAttempts.count == 2)
        let second = try await outside.hedged(.test(clock)).retrying(retry).dataFuture(from: get).value
        #expect(outside.exchanges.count == 3 && second.earlierAttempts.count == 2)
        _ = await both.retrying(retry).hedged(.test(clock)).retrying(retry).dataFuture(from: get).statusOrError
        #expect(both.exchanges.count == 3)
    }

    @Test("HEDGE: over a retry, the delay sends a copy with attempts of its own")
    func overRetry() async throws {
        let server = AnsweringServer(), retries = SkippingClock()
        let future = server.dispatcher.retrying(.fixed(retries)).hedged(.test(clock))
            .dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrError }
        await server.sent.wait(for: 1)
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        await server.sent.wait(for: 2)
        server.answer(2, .status(500))
        await server.sent.wait(for: 3)
        server.answer(3, .status(200))
        #expect(await task.value == "200")
        #expect(await server.cancelled.all(1) == ["1"])
    }

    @Test("HEDGE: the outermost of nested policies decides")
    func nested() async throws {
        let inner = ManualClock(), server = scripted(.number(500))
        let dispatcher = server.hedged(.test(inner, copies: 5)).hedged(.test(clock))
        _ = await dispatcher.dataFuture(from: try request("GET")).statusOrError
        #expect(server.exchanges.count == 2)
    }

    @Test("HEDGE: a copy that a dispatcher refuses, as it is ending, leaves alone the one that it lets end")
    func endingDispatcher() async throws {
        let engine = DirectedEngine(), network = URLRequestDispatcher(engine: engine), get = try request("GET")
        let telling = Telling(base: network), dispatcher = telling.hedged(.test(clock))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await engine.started(1)
        await clock.sleepers()
        network.finishTasksAndInvalidate()
        clock.advance(by: .seconds(1))
        await telling.ended.wait(for: 1)
        engine.answer(0)
        #expect(await task.value == "200")
        #expect(await dispatcher.dataFuture(from: get).statusOrError == "sessionInvalidated")
        #expect(engine.paths.count == 1)
    }

    @Test("D3 NOTHING: no wait for a delay starts that would cross the deadline")
    func deadline() async throws {
        let deadlines = ManualClock()
        for (limit, isWaitedFor) in [(1000, false), (1001, true)] {
            let server = AnsweringServer()
            let future = server.dispatcher.hedged(.test(clock)).deadline(.milliseconds(limit), clock: deadlines)
                .dataFuture(from: try request("GET"))
            let task = Task { await future.statusOrError }
            await server.sent.wait(for: 1)
            if isWaitedFor { await clock.sleepers() }
            await deadlines.sleepers()
            deadlines.advance(by: .milliseconds(limit))
            #expect(await task.value.hasPrefix("DeadlineExceeded"))
            await clock.noSleepers()
            clock.advance(by: .seconds(10))
            #expect(server.sent.events.count == 1)
        }
    }

    /// Gets a token before each request, and signs its URL.
    private struct Signing: RequestAdapter {
        let dispatcher: any DataDispatcher
        let token: URLRequest

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            _ = try await dispatcher.dataFuture(from: token).value
            var request = urlRequest
            request.url?.append(queryItems: [URLQueryItem(name: "signature", value: "a")])
            return request
        }
    }

    @Test(
        "C1 KEY: the number of a copy is that of its own request, and not of those on the way, as for a token",
        arguments: [false, true])
    func numbers(isSameTarget: Bool) async throws {
        let tokens = DirectedEngine(), engine = DirectedEngine(), get = try request("GET")
        let token = try isSameTarget ? get : hop("/token").urlRequest
        let signing = Signing(dispatcher: URLRequestDispatcher(engine: tokens), token: token)
        let dispatcher = URLRequestDispatcher(engine: engine, requestAdapter: signing).hedged(.test(clock))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrError }
        for copy in 0...1 {
            await tokens.started(copy + 1)
            tokens.answer(copy)
            await engine.started(copy + 1)
            if copy == 0 {
                await clock.sleepers()
                clock.advance(by: .seconds(1))
            }
        }
        engine.answer(0)
        #expect(await task.value == "200")
        func copies(_ engine: DirectedEngine) -> [Int] { engine.state.withLock { $0.hops.map(\.request.copy) } }
        #expect(copies(tokens) == [1, 1] && copies(engine) == [1, 2])
    }

    @Test(
        "R6 BUDGET: a hedge inside of a retry has its budget, or none if it has none, unless it has one of its own",
        arguments: [false, true], [true, false])
    func sharedBudget(hasOwn: Bool, isLimited: Bool) async throws {
        var hedge = HedgePolicy.test(SkippingClock()), retry = RetryPolicy.fixed(SkippingClock())
        let other = RetryBudget(), limit = retry.budget, host = try url("https://example.com")
        if hasOwn { hedge.budget = other }
        if !isLimited { retry.budget = nil }
        let late = Gate(), count = Counter()
        let server = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    if count.increment() == 1 { try await late.passUnlessCancelled() }
                    return Response.makeMockResponse(with: request, statusCode: .notFound)
                })
        ])
        #expect(
            await server.hedged(hedge).retrying(retry).dataFuture(from: try request("GET")).statusOrError == "404")
        let used = [hedge.budget, limit].map { $0?.tokens(for: host) }
        #expect(count.value == 2 && used == [hasOwn ? 487 : 500, hasOwn || !isLimited ? 500 : 487])
    }
}
