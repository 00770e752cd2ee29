import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Numbers the requests that it sees.
private struct NumberingAdapter: RequestAdapter {
    let count = Counter()

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("\(count.increment())", forHTTPHeaderField: "X-Number")
        return request
    }
}

@Suite("Retrying over a real socket", .timeLimit(.minutes(10)))
struct RetryingSocketTests {
    private let server: LoopbackServer
    private let adapter = NumberingAdapter()
    private let network: URLRequestDispatcher
    private let folder: TemporaryFolder
    private let clock = SkippingClock()

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        network = URLRequestDispatcher(configuration: .ephemeral, requestAdapter: adapter)
    }

    private var dispatcher: some RequestDispatcher { network.retrying(.fixed(clock)) }

    private func request(_ path: String, _ method: HTTPMethod = .get) -> URLRequest {
        var request = server.request(path)
        request.httpMethod = method.rawValue
        return request
    }

    /// Answers with these in order, and repeats the last.
    private func serve(_ path: String, _ replies: LoopbackReply...) {
        let count = Counter()
        server.handle("*", path) { _ in replies[min(count.increment(), replies.count) - 1] }
    }

    @Test(
        "R1 COUNT, R11 FRESH: three attempts of each kind, adapted again each time",
        arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        serve("/a", .text("no", status: 503), .text("no", status: 502), .text("yes"))
        #expect(try await kind.text(of: request("/a", .put), by: dispatcher, in: folder).value == "yes")
        #expect(server.requests(path: "/a").map { $0.header("X-Number") } == ["1", "2", "3"])
        #expect(clock.sleeps.count == 2)
    }

    @Test("R11 FRESH: the updates of the attempts, with a retry between them")
    func updates() async throws {
        serve("/a", .text("not yet", status: 502), .text("yes"))
        let updates = await dispatcher.dataFuture(from: request("/a")).allUpdates
        #expect(
            updates.map(\.stage) == [
                .started, .responded, .received, .retrying(attempt: 2, after: .milliseconds(25)),
                .started, .responded, .received,
            ])
        #expect(updates.map(\.progress.bytesReceived) == [0, 0, 7, 0, 0, 0, 3])
    }

    @Test("R2 IDEMPOTENT: a POST is sent once, unless nothing listens or it has a key")
    func post() async throws {
        serve("/a", .text("no", status: 503))
        #expect(await dispatcher.dataFuture(from: request("/a", .post)).statusOrError == "503")
        #expect(server.requestCount() == 1)
        var refused = try URLRequest(url: server.refusingURL())
        refused.httpMethod = "POST"
        #expect(await dispatcher.dataFuture(from: refused).statusOrError == "cannotConnect")
        #expect(adapter.count.value == 4)
        var policy = RetryPolicy.fixed(clock)
        policy.addsIdempotencyKey = true
        #expect(await network.retrying(policy).dataFuture(from: request("/a", .post)).statusOrError == "503")
        let keys = server.requests(path: "/a").dropFirst().map { $0.header("Idempotency-Key") }
        #expect(keys.count == 3 && Set(keys).count == 1 && keys.first != .some(nil))
    }

    @Test(
        "R2 IDEMPOTENT: a POST redirected to a closed port is sent once",
        arguments: [303, 307])
    func redirectedPost(status: Int) async throws {
        let location = try server.refusingURL().absoluteString
        server.handle("POST", "/a", reply: .redirect(status, to: location))
        #expect(await dispatcher.dataFuture(from: request("/a", .post)).statusOrError == "cannotConnect")
        #expect(server.requestCount() == 1)
        server.handle("GET", "/a", reply: .redirect(status, to: location))
        #expect(await dispatcher.dataFuture(from: request("/a")).statusOrError == "cannotConnect")
        #expect(server.requestCount() == 4)
    }

    /// On a reused connection that breaks libcurl tries a new one, before it asks whether it may send again.
    @Test("R2 IDEMPOTENT: a POST whose server ends with it, on a reused connection, is sent once")
    func postToEndingServer() async throws {
        let gate = LoopbackGate()
        server.handle("POST", "/a", reply: .text("never").gated(by: gate))
        #expect(await dispatcher.dataFuture(from: request("/text")).statusOrError == "200")
        let future = dispatcher.uploadFuture(from: request("/a", .post), with: Data("text".utf8))
        let ending = Task { await future.statusOrError }
        try await server.waitForRequests(1, path: "/a")
        server.stop()
        #expect(await ending.value == "connectionLost")
        #expect(adapter.count.value == 2)
    }

    @Test("R3 WHAT: a request that breaks in transit is sent again; one with a lasting status is not")
    func faults() async throws {
        let faults: [LoopbackReply] = [.close, .reset, .truncated(), .garbage]
        for (number, fault) in faults.enumerated() {
            serve("/\(number)", fault, fault, .text("yes"))
            #expect(await dispatcher.dataFuture(from: request("/\(number)")).statusOrError == "200", "\(number)")
            #expect(server.requestCount(path: "/\(number)") >= 3, "\(number)")
        }
        #expect(await dispatcher.dataFuture(from: request("/status/501")).statusOrError == "501")
        #expect(server.requestCount(path: "/status/501") == 1)
    }

    @Test("R5 RETRY-AFTER: as the server says")
    func retryAfter() async throws {
        serve(
            "/a", .text("", status: 503, headers: [LoopbackHeader("Retry-After", "7")]),
            .text(
                "", status: 503,
                headers: [
                    LoopbackHeader("Retry-After", "Sun Nov  6 08:49:37 1994"),
                    LoopbackHeader("Date", "Sunday, 06-Nov-94 08:49:17 GMT"),
                ]), .text("yes"))
        _ = try await dispatcher.dataFuture(from: request("/a")).value
        #expect(clock.sleeps == [.milliseconds(7350), .milliseconds(20_500)])
    }

    @Test("R6 BUDGET: 300 requests at once to a server that fails everything are 335")
    func budget() async throws {
        serve("/a", .text("no", status: 500))
        let dispatcher = dispatcher, request = request("/a")
        let statuses = await withTaskGroup(of: String.self) { group in
            for _ in 0..<300 { group.addTask { await dispatcher.dataFuture(from: request).statusOrError } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses == ["500"] && server.requestCount() == 335)
    }

    @Test("R8 BODY: a file is sent again, chunks that come once are not")
    func bodies() async throws {
        serve("/a", .text("no", status: 503), .text("yes"))
        let file = try folder.file("file", containing: "content")
        let put = request("/a", .put)
        #expect(await dispatcher.uploadFuture(from: put, withFile: file).statusOrError == "200")
        #expect(server.requests(path: "/a").map { String(decoding: $0.body, as: UTF8.self) } == ["content", "content"])
        serve("/b", .text("no", status: 503), .text("yes"))
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("chunk".utf8))
            continuation.finish()
        }
        #expect(await dispatcher.uploadFuture(from: request("/b", .put), withChunks: chunks).statusOrError == "503")
        #expect(server.requestCount(path: "/b") == 1)
    }

    @Test("R8 BODY: chunks of withChunks that can be made again are, after a failure and a redirect, with their length")
    func madeAgain() async throws {
        let chunks = TransferChunks(length: 5) {
            AsyncStream { continuation in
                continuation.yield(Data("chunk".utf8))
                continuation.finish()
            }
        }
        serve("/reset", .reset, .text("yes"))
        server.handle("PUT", "/from", reply: .redirect(307, to: "/to"))
        serve("/to", .text("yes"))
        for (from, to, dispatcher) in [("/reset", "/reset", dispatcher), ("/from", "/to", network)]
            as [(String, String, any UploadDispatcher)]
        {
            let future = dispatcher.uploadFuture(from: request(from, .put), withChunks: chunks)
            #expect(await future.statusOrError == "200", "\(from)")
            let last = try #require(server.requests(path: to).last)
            #expect(last.body == Data("chunk".utf8) && last.header("Content-Length") == "5", "\(from)")
        }
    }

    #if canImport(FoundationNetworking)
        @Test("R2 IDEMPOTENT, R8 BODY: chunks that come once are not asked for, and sent again, if nothing listens")
        func unaskedChunks() async throws {
            var refused = try URLRequest(url: server.refusingURL())
            refused.httpMethod = "POST"
            let chunks = AskedChunks(1)
            let future = dispatcher.uploadFuture(from: refused, withChunks: chunks)
            #expect(await future.statusOrError == "cannotConnect")
            #expect(adapter.count.value == 3 && clock.sleeps.count == 2)
            #expect(chunks.asked.withLock { $0 } == 0)
        }
    #endif

    @Test("R9 COMMIT: a resumable download continues with a range")
    func resumption() async throws {
        let count = Counter(), file = folder.file("film.bin")
        server.handle("GET", "/file") { request in
            .ranged(count: 300_000, for: request, cut: count.increment() == 1 ? 100_000 : nil)
        }
        _ = try await dispatcher.downloadFuture(from: request("/file"), to: file, isResumable: true).value
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: 300_000))
        #expect(server.requests(path: "/file").map { $0.header("Range") } == [nil, "bytes=100000-"])
        #expect(try folder.names == ["film.bin"])
    }

    @Test("R9 COMMIT: a stream is not sent again once its head was delivered")
    func stream() async throws {
        serve("/a", .text("no", status: 503), .truncated())
        let response = try await dispatcher.streamFuture(from: request("/a")).value
        #expect(response.head.status == 200 && response.earlierAttempts.count == 1)
        await #expect(throws: TransferError.self) { for try await _ in response.data {} }
        #expect(server.requestCount(path: "/a") == 2)
    }

    @Test("R9 COMMIT: the stream of a failed attempt is released before the wait ends")
    func droppedStream() async throws {
        let clock = ManualClock(),
            head = LoopbackReply.Step.head(
                status: 503, headers: [LoopbackHeader("Content-Length", "100")])
        serve("/a", LoopbackReply(steps: [head, .body(Data("part".utf8)), .stall]), .text("yes"))
        let future = network.retrying(.fixed(clock)).streamFuture(from: request("/a"))
        let task = Task { await future.statusOrError }
        await clock.sleepers()
        try await server.waitForClosedConnections()
        clock.advance(by: .seconds(1))
        #expect(await task.value == "200")
    }

    @Test("R10 CANCEL: in an attempt, and in a wait", arguments: [true, false])
    func cancellation(inWait: Bool) async throws {
        let clock = ManualClock()
        serve("/a", inWait ? .text("no", status: 503) : .stall)
        let future = network.retrying(.fixed(clock)).dataFuture(from: request("/a"))
        let task = Task { await future.statusOrError }
        if inWait { await clock.sleepers() } else { try await server.waitForRequests(1) }
        task.cancel()
        #expect(await task.value == "cancelled")
        if !inWait { try await server.waitForClosedConnections() }
        clock.advance(by: .seconds(60))
        // Anything sent earlier arrives before this.
        _ = try await network.dataFuture(from: request("/text")).value
        #expect(server.requestCount(path: "/a") == 1)
    }
}
