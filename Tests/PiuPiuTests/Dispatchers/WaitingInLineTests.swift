import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Waiting in line, with a clock that the test advances", .timeLimit(.oneProcessAtATime))
struct WaitingInLineTests {
    private typealias Time = TransferTimeTests.ManualTime
    private typealias Engine = TransferTimeTests.QuietEngine

    private enum Kind { case data, download, stream }

    private let time = Time()
    private let engine: Engine
    private let driver: TransferDriver

    init() {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        engine = Engine(settings)
        driver = TransferDriver(engine, timer: time.timer)
    }

    @discardableResult
    private func start(
        _ kind: Kind, _ path: String, host: String = "host", timeout: TimeInterval = 10,
        log: Log<TransferEvent> = Log()
    ) throws -> any TransferHandle {
        var urlRequest = URLRequest(url: try url("http://\(host)\(path)"))
        urlRequest.timeoutInterval = timeout
        var request = TransferRequest(urlRequest, expectsLargeResponse: kind != .data)
        request.isStream = kind == .stream
        return driver.start(request) { log.append($0) }
    }

    private func answer(_ hop: Int, status: Int = 200, location: String? = nil) throws {
        let fields = location.map { [(name: "Location", value: $0)] } ?? []
        let head = TransferHead(url: try url("http://host/"), status: status, fields: fields)
        engine.tell(.head(head, request: URLRequest(url: try url("http://host/"))), hop: hop)
        engine.tell(.finished, hop: hop)
    }

    private func kind(_ log: Log<TransferEvent>) async -> TransferError.Kind? {
        guard case .failed(let error) = await log.untilTheEnd().last else { return nil }
        return (error as? TransferError)?.kind
    }

    /// An engine that ends all exchanges but the first inside their start.
    private struct HastyEngine: TasklessEngine {
        let first = Locked<(@Sendable (TransferEvent) -> Void)?>(nil)

        var settings: TransferSettings {
            var settings = TransferSettings()
            settings.exchangesPerOrigin = 1
            return settings
        }

        struct Handle: TransferHandle { func cancel() {} }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            let isFirst = first.withLock { first in
                defer { first = first ?? onEvent }
                return first == nil
            }
            if !isFirst { onEvent(.failed(TransferError(.connectionLost))) }
            return Handle()
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    @Test(
        "DEPTH: ten thousands in line don't overflow the stack, even if the engine ends them inside their start",
        .oneProcessAtATime)
    func hastyEngine() async {
        await #expect(processExitsWith: .success) {
            let engine = HastyEngine(), driver = TransferDriver(engine), ended = Watched(0), count = 50_000
            let request = TransferRequest(URLRequest(url: try url("http://host/")))
            for _ in 0..<count {
                _ = driver.start(request) { event in
                    if event.isTerminal { ended.withLock { $0 += 1 } }
                }
            }
            engine.first.withLock { $0 }?(.failed(TransferError(.connectionLost)))
            await ended.wait { $0 == count }
        }
    }

    @Test("Only streams wait for streams, and requests don't wait for downloads")
    func kinds() throws {
        try start(.stream, "/stream")
        try start(.stream, "/stream-in-line")
        try start(.download, "/download")
        try start(.download, "/download-in-line")
        try start(.data, "/data")
        try start(.data, "/data-in-line")
        try start(.stream, "/elsewhere", host: "other")
        #expect(engine.calls.all == ["start /stream", "start /download", "start /data", "start /elsewhere"])
    }

    @Test("A request's timeout doesn't run while it waits", arguments: [false, true])
    func timeout(isDownload: Bool) async throws {
        let kind = isDownload ? Kind.download : .data, log = Log<TransferEvent>()
        let first = try start(kind, "/1", timeout: 1_000_000)
        try start(kind, "/2", timeout: 10, log: log)
        time.advance(seconds: 100_000)
        #expect(log.all.isEmpty)
        first.cancel()
        // From now on it does.
        time.advance(seconds: 9)
        #expect(log.all.isEmpty && engine.calls.all.contains("start /2"))
        time.advance(seconds: 1)
        #expect(await self.kind(log) == .timedOut)
    }

    @Test("A stream that never gets its turn fails after its timeout, and is never sent")
    func stream() async throws {
        let log = Log<TransferEvent>()
        try start(.stream, "/1", timeout: 1_000_000)
        try start(.stream, "/2", timeout: 10, log: log)
        time.advance(seconds: 9)
        #expect(log.all.isEmpty)
        time.advance(seconds: 1)
        #expect(await kind(log) == .tooManyStreams)
        #expect(engine.calls.all == ["start /1"])
    }

    @Test("Each stream that ends restarts the timeouts of those in line")
    func movingLine() async throws {
        let logs = (0..<4).map { _ in Log<TransferEvent>() }
        for (number, log) in logs.enumerated() { try start(.stream, "/\(number)", timeout: 10, log: log) }
        for hop in 0..<2 {
            time.advance(seconds: 8)
            try answer(hop)
            guard case .finished = await logs[hop].untilTheEnd().last else {
                return #expect(Bool(false), "\(logs[hop].all)")
            }
        }
        #expect(engine.calls.all == ["start /0", "start /1", "start /2"])
        // Its own ten seconds are long over; ten since the last one ended are not.
        time.advance(seconds: 9)
        #expect(logs[3].all.isEmpty)
    }

    @Test("A stream that leaves the line doesn't restart the timeouts of others")
    func leavingTheLine() async throws {
        let log = Log<TransferEvent>()
        try start(.stream, "/1", timeout: 1_000_000)
        let second = try start(.stream, "/2", timeout: 1_000_000)
        try start(.stream, "/3", timeout: 10, log: log)
        time.advance(seconds: 8)
        second.cancel()
        time.advance(seconds: 2)
        #expect(await kind(log) == .tooManyStreams)
    }

    @Test("A stream that is redirected waits in its new line no longer than its timeout either")
    func redirected() async throws {
        let log = Log<TransferEvent>()
        try start(.stream, "/1", host: "other", timeout: 1_000_000)
        try start(.stream, "/2", timeout: 10, log: log)
        time.advance(seconds: 5)
        try answer(1, status: 302, location: "http://other/3")
        time.advance(seconds: 9)
        #expect(log.all.isEmpty)
        time.advance(seconds: 1)
        #expect(await kind(log) == .tooManyStreams)
        #expect(engine.calls.all == ["start /1", "start /2"])
    }

    @Test("The timeout of the whole exchange runs in line too, and is reported like any other")
    func whole() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        settings.wholeTimeout = 5
        let time = Time(), engine = Engine(settings), log = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        for number in 1...2 {
            var request = TransferRequest(URLRequest(url: try url("http://host/\(number)")), expectsLargeResponse: true)
            request.isStream = true
            _ = driver.start(request) { if number == 2 { log.append($0) } }
        }
        time.advance(seconds: 5)
        #expect(await kind(log) == .timedOut)
    }
}

@Suite("Waiting in line at a server", .timeLimit(.minutes(10)))
struct WaitingAtServerTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer.start()
        server.handle(
            "GET", "/open",
            reply: LoopbackReply(steps: [
                .head(status: 200, headers: [LoopbackHeader("Content-Length", "10")]), .pattern(count: 1), .stall,
            ]))
    }

    @Test(
        "Six open streams hold up no download, and a seventh stream no longer than its timeout",
        arguments: ValidatedTransferTests.dispatchers)
    func openStreams(dispatcher: URLRequestDispatcher) async throws {
        var bodies: [StreamedBody] = []
        for _ in 0..<6 { bodies.append(try await dispatcher.streamFuture(from: server.request("/open")).value.data) }
        let folder = try TemporaryFolder()
        for number in 0..<7 {
            _ = try await dispatcher.downloadFuture(from: server.request("/text"), to: folder.file("\(number)")).value
            _ = try await dispatcher.dataFuture(from: server.request("/text")).value
        }
        let error = await #expect(throws: TransferError.self) {
            _ = try await dispatcher.streamFuture(from: server.request("/text", timeout: 1)).value
        }
        #expect(error?.kind == .tooManyStreams && error?.urlError?.code == .timedOut)
        #expect(server.requestCount(path: "/text") == 14)
        // After a redirect the first server has got the request (rule IDEMPOTENT).
        let first = try LoopbackServer.start()
        first.handle("POST", "/a", reply: .redirect(307, to: server.url("/text").absoluteString))
        var late: TransferError?
        // On a busy machine the first server may take longer than the timeout.
        for timeout in [1.0, 4, 16, 64] where late?.kind ?? .timedOut == .timedOut {
            var post = first.request("/a", timeout: timeout)
            post.httpMethod = "POST"
            late = await #expect(throws: TransferError.self) { _ = try await dispatcher.streamFuture(from: post).value }
        }
        #expect(late?.kind == .tooManyStreams && late?.isUnsent == false && error?.isUnsent == true)
        let waiting = dispatcher.streamFuture(from: server.request("/text"))
        waiting.start()
        bodies.removeLast()
        var received = Data()
        for try await chunk in try await waiting.value.data { received.append(chunk) }
        #expect(String(decoding: received, as: UTF8.self) == "Grüße von 127.0.0.1\n")
        withExtendedLifetime(bodies) {}
    }

    @Test("A session has connections for all lines: with each of the others in use, a refresh is sent")
    func refresh() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/gate", reply: .text("late").gated(by: gate))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 1
        let dispatcher = URLRequestDispatcher(engine: .urlSession(configuration))
        let folder = try TemporaryFolder()
        let data = dispatcher.dataFuture(from: server.request("/gate", timeout: 3600))
        let download = dispatcher.downloadFuture(from: server.request("/gate", timeout: 3600), to: folder.file("f"))
        data.start()
        download.start()
        try await gate.waitForArrivals(2)
        let stream = try await dispatcher.streamFuture(from: server.request("/open")).value
        let wanted = server.request("/wanted"), token = server.request("/text", timeout: 3600)
        let session = Authenticator(
            for: try #require(wanted.url), apply: { _, _ in },
            obtain: { try await dispatcher.dataFuture(from: token).validated().value })
        let mock = MockURLRequestDispatcher { Response.makeMockResponse(with: $0, data: nil, statusCode: .ok) }
        _ = try await mock.authenticated(by: session).dataFuture(from: wanted).value
        gate.open()
        _ = try await (data.value, download.value)
        withExtendedLifetime(stream) {}
    }

    @Test("The configuration sets the limit", arguments: [2, 9])
    func limit(limit: Int) async throws {
        let gate = LoopbackGate()
        server.handle(
            "GET", "/gate",
            reply: LoopbackReply(steps: [
                .gate(gate), .head(status: 200, headers: [LoopbackHeader("Content-Length", "0")]),
            ]))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = limit
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        let futures = (0..<12).map { _ in dispatcher.dataFuture(from: server.request("/gate", timeout: 3600)) }
        let all = ResponseFuture<[Response<Data?>]>(childFutures: futures)
        all.start()
        try await gate.waitForArrivals(limit)
        // A stream has a line of its own. When it is answered, requests sent too early would have arrived.
        _ = try await dispatcher.streamFuture(from: server.request("/text")).value
        #expect(gate.arrivals == limit)
        gate.open()
        #expect(try await all.value.count == 12)
    }
}
