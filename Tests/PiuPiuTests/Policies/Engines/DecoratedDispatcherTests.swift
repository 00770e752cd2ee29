import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Gives each request a token.
private struct TokenAdapter: RequestAdapter {
    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("token of \(request.url?.query() ?? "all")", forHTTPHeaderField: "Authorization")
        return request
    }
}

private struct StatusAdapter: ResponseAdapter {
    func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        guard let url = urlResponse.url else { return urlResponse }
        return HTTPURLResponse(url: url, statusCode: 299, httpVersion: nil, headerFields: nil) ?? urlResponse
    }
}

@Suite("Decorated dispatchers over a real socket", .timeLimit(.minutes(10)))
struct DecoratedDispatcherTests {
    private let server: LoopbackServer
    private let network = URLRequestDispatcher(configuration: .ephemeral)

    init() throws { server = try LoopbackServer.start() }

    @Test("Adapters, the body limit and the redirect policy stay", arguments: [0, 1, 2])
    func kept(index: Int) async throws {
        var network = URLRequestDispatcher(
            configuration: .ephemeral, requestAdapter: TokenAdapter(), responseAdapter: StatusAdapter(),
            redirectPolicy: .never)
        network.maximumBodySize = 100
        let dispatcher = [network.limited(to: 1), network.breaking(), network.coalescing()][index]
        server.handle("GET", "/a", reply: .text("a"))
        let response = try await dispatcher.dataFuture(from: server.request("/a")).value
        #expect(response.head.status == 299)
        #expect(server.requests(path: "/a").first?.header("Authorization") == "token of all")
        let error = await #expect(throws: TransferError.self) {
            _ = try await dispatcher.dataFuture(from: server.request("/bytes/101")).value
        }
        #expect(error?.kind == .bodyTooLarge)
        server.handle(
            "GET", "/b",
            reply: .text("there", status: 302, headers: [LoopbackHeader("Location", "/a")]))
        _ = try await dispatcher.dataFuture(from: server.request("/b")).value
        #expect(server.requestCount(path: "/a") == 1)
    }

    @Test("C2, C3: a burst of a thousand equal requests is one exchange at the server")
    func burst() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/a", reply: .text("a").gated(by: gate))
        let engine = CountingEngine(base: makeStandardEngine(.ephemeral).coalescing())
        let dispatcher = URLRequestDispatcher(engine: engine)
        let futures = (0..<1_000).map { _ in dispatcher.dataFuture(from: server.request("/a")) }
        for future in futures { future.start() }
        await engine.started(1_000)
        futures[0].cancel()
        gate.open()
        for future in futures[1...] { #expect(try await future.value.data == Data("a".utf8)) }
        await #expect(throws: CancellationError.self) { _ = try await futures[0].value }
        #expect(server.requestCount() == 1)
    }

    @Test("C1 KEY: requests that adapters gave different tokens share nothing")
    func tokens() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/a", reply: .text("a").gated(by: gate))
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral, requestAdapter: NumberedTokens()).coalescing()
        let futures = (0..<3).map { _ in dispatcher.dataFuture(from: server.request("/a")) }
        for future in futures { future.start() }
        try await gate.waitForArrivals(3)
        gate.open()
        for future in futures { _ = try await future.value }
    }

    @Test("C2 INTEREST: when the last caller leaves, the exchange is cancelled at the server")
    func abandoned() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/a", reply: .text("a").gated(by: gate))
        let dispatcher = network.coalescing()
        let futures = (0..<3).map { _ in dispatcher.dataFuture(from: server.request("/a")) }
        for future in futures { future.start() }
        try await gate.waitForArrivals()
        for future in futures { future.cancel() }
        try await server.waitUntilIdle()
        #expect(server.requestCount() >= 1)
        gate.open()
        #expect(try await dispatcher.dataFuture(from: server.request("/text")).value.head.status == 200)
    }

    @Test("L2 SLOT: the server has no more requests than there are slots, and local URLs need none")
    func slots() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/a", reply: .text("a").gated(by: gate))
        let dispatcher = network.limited(to: 2)
        let futures = (0..<6).map { _ in dispatcher.dataFuture(from: server.request("/a")) }
        let all = ResponseFuture<[Response<Data?>]>(childFutures: futures)
        all.start()
        try await gate.waitForArrivals(2)
        let local = try await dispatcher.dataFuture(from: URLRequest(url: url("data:,abc"))).value
        #expect(local.data == Data("abc".utf8))
        #expect(gate.arrivals == 2)
        gate.open()
        #expect(try await all.value.count == 6)
    }

    @Test("L2 SLOT: a redirect takes one slot after the other")
    func redirect() async throws {
        server.handle("GET", "/a", reply: .text("", status: 302, headers: [LoopbackHeader("Location", "/text")]))
        let dispatcher = network.limited(to: 1)
        for _ in 0..<3 {
            #expect(try await dispatcher.dataFuture(from: server.request("/a")).value.head.redirects.count == 1)
        }
    }

    @Test("L2 SLOT: a stream holds its slot until it is read or dropped", arguments: [true, false])
    func stream(isRead: Bool) async throws {
        let gate = LoopbackGate()
        server.handle(
            "GET", "/open",
            reply: LoopbackReply(steps: [
                .head(status: 200, headers: [LoopbackHeader("Content-Length", "2")]), .pattern(count: 1), .gate(gate),
                .pattern(count: 1),
            ]))
        let base = makeStandardEngine(.ephemeral), engine = CountingEngine(base: base.limited(to: 1))
        let dispatcher = URLRequestDispatcher(engine: engine)
        var body: StreamedBody? = try await dispatcher.streamFuture(from: server.request("/open")).value.data
        let next = dispatcher.dataFuture(from: server.request("/text"))
        next.start()
        await engine.started(2)
        try await gate.waitForArrivals()
        // What was sent too early would have arrived before another request is answered.
        _ = try await base.load(server.url("/empty"))
        #expect(server.requestCount(path: "/text") == 0)
        if isRead {
            gate.open()
            for try await _ in try #require(body) {}
        }
        body = nil
        #expect(try await next.value.head.status == 200)
    }

    @Test("BREAKER: a failing server gets no requests, and is probed when it may be back")
    func breaker() async throws {
        let clock = ManualClock(), count = Counter()
        server.handle("GET", "/a") { _ in count.increment() <= 20 ? .text("no", status: 503) : .text("yes") }
        let dispatcher = network.breaking(CircuitBreaker(clock: clock))
        for _ in 0..<20 {
            #expect(try await dispatcher.dataFuture(from: server.request("/a")).value.head.status == 503)
        }
        let error = await #expect(throws: CircuitOpenError.self) {
            _ = try await dispatcher.dataFuture(from: server.request("/a")).value
        }
        #expect(error?.retryAfter == .seconds(5) && server.requestCount() == 20)
        clock.advance(by: .seconds(5))
        for _ in 0..<3 {
            #expect(try await dispatcher.dataFuture(from: server.request("/a")).value.head.status == 200)
        }
        #expect(server.requestCount() == 23)
    }

    @Test(
        "BREAKER: an error of the chunks of a body is no failure of the server that they are sent to",
        arguments: [false, true])
    func failingChunks(areCollected: Bool) async throws {
        let network = areCollected ? URLRequestDispatcher(engine: .urlSession(.ephemeral)) : network
        var breaker = CircuitBreaker.standard
        breaker.minimumExchanges = 1
        let dispatcher = network.breaking(breaker), source = try url("https://source.example")
        let chunks = AskedChunks(2) { number in
            if number == 2 { throw TransferError(.connectionLost, url: source) }
        }
        var post = server.request("/sink")
        post.httpMethod = "POST"
        let upload = dispatcher.uploadFuture(from: post, withChunks: chunks)
        let error = await #expect(throws: TransferError.self) { try await upload.value }
        #expect(error?.kind == .connectionLost && error?.url == source)
        let next = try await dispatcher.dataFuture(from: server.request("/text")).value
        #expect(next.head.status == 200)
    }

    @Test("All three below retries: a thousand requests of ten kinds are ten exchanges")
    func all() async throws {
        let gate = LoopbackGate()
        for number in 0..<10 { server.handle("GET", "/\(number)", reply: .text("\(number)").gated(by: gate)) }
        let decorated = makeStandardEngine(.ephemeral).limited(to: 10).breaking().coalescing()
        let engine = CountingEngine(base: decorated)
        let dispatcher = URLRequestDispatcher(engine: engine).retrying()
        let futures = (0..<1_000).map { dispatcher.dataFuture(from: server.request("/\($0 % 10)")) }
        for future in futures { future.start() }
        await engine.started(1_000)
        gate.open()
        for (number, future) in futures.enumerated() {
            #expect(try await future.value.data == Data("\(number % 10)".utf8))
        }
        #expect(server.requestCount() == 10)
    }
}

/// Counts the exchanges that start below.
struct CountingEngine: TransferEngine {
    let base: any TransferEngine
    private let count = Watched(0)

    init(base: any TransferEngine) { self.base = base }

    var streamsBodies: Bool { base.streamsBodies }
    var settings: TransferSettings { base.settings }

    func started(_ count: Int) async { await self.count.wait { $0 >= count } }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        defer { count.withLock { $0 += 1 } }
        return base.start(request, onEvent: onEvent)
    }

    func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }
    func invalidateAndCancel() { base.invalidateAndCancel() }
}

/// A token for each request.
private struct NumberedTokens: RequestAdapter {
    let count = Counter()

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("\(count.increment())", forHTTPHeaderField: "Authorization")
        return request
    }

    @Test("An invalidated dispatcher answers no new request from its cache either, while others are running")
    func invalidated() async throws {
        let engine = DirectedEngine(), dispatcher = URLRequestDispatcher(engine: engine).cached(in: HTTPCache())
        let get = try hop("/a").urlRequest, other = try hop("/other").urlRequest
        let first = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await engine.started(1)
        let fields = [("Cache-Control", "max-age=60")]
        engine.tell(0, .head(TransferHead(url: try #require(get.url), status: 200, fields: fields), request: get))
        engine.tell(0, .finished)
        #expect(await first.value == "200")
        #expect(await dispatcher.dataFuture(from: get).statusOrError == "200" && engine.paths.count == 1)
        let running = Task { await dispatcher.dataFuture(from: other).statusOrError }
        await engine.started(2)
        dispatcher.finishTasksAndInvalidate()
        #expect(await dispatcher.dataFuture(from: get).statusOrError == "sessionInvalidated")
        engine.answer(1)
        #expect(await running.value == "200")
    }
}
