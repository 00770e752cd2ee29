import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Validation of a server's answers", .timeLimit(.minutes(10)))
struct ValidatedTransferTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
    }

    /// A dispatcher over each engine.
    static let dispatchers = [
        URLRequestDispatcher(configuration: .ephemeral),
        URLRequestDispatcher(engine: .urlSession(.ephemeral)),
    ]

    private func refused<Success>(_ future: ResponseFuture<Success>) async throws -> UnacceptableStatusError {
        try #require(await #expect(throws: UnacceptableStatusError.self) { _ = try await future.value })
    }

    @Test("A status that isn't acceptable is an error with the body", arguments: dispatchers)
    func data(dispatcher: URLRequestDispatcher) async throws {
        let header = LoopbackHeader("X-Reason", "test")
        server.handle("GET", "/no", reply: .json(#"{"error":"no"}"#, status: 409, headers: [header]))
        let error = try await refused(dispatcher.dataFuture(from: server.request("/no")).validated())
        #expect(error.method == "GET")
        #expect(error.url == server.url("/no"))
        #expect(error.statusCode == .conflict)
        #expect(error.headers["x-reason"] == "test")
        #expect(
            error.localizedDescription
                == "The server answered GET \(server.url("/no")) with 409 Conflict: {\"error\":\"no\"}")
        #expect(try await dispatcher.dataFuture(from: server.request("/text")).validated().value.data?.isEmpty == false)
    }

    @Test("FILES: a refused download leaves the old file, and its error has the body", arguments: dispatchers)
    func download(dispatcher: URLRequestDispatcher) async throws {
        server.handle("GET", "/missing", reply: .text("There is no film 7.\n", status: 404))
        for isResumable in [false, true] {
            let file = try folder.file("film", containing: "old")
            let future = dispatcher.downloadFuture(
                from: server.request("/missing"), to: file, isResumable: isResumable)
            let error = try await refused(future.validated())
            #expect(error.statusCode == .notFound)
            #expect(error.bodyText == "There is no film 7.\n")
            #expect(error.localizedDescription.hasSuffix("404 Not Found: There is no film 7."))
            #expect(file.content == "old")
            #expect(try folder.names == ["film"])
            #expect(try await refused(future.makeHTTPResponse().validated()).bodyText == "There is no film 7.\n")
        }
        let file = folder.file("new")
        #expect(
            try await dispatcher.downloadFuture(from: server.request("/text"), to: file).validated().value.data == file)
    }

    @Test("The server's own error is decoded, however long; of a download only if it is short", arguments: dispatchers)
    func serverError(dispatcher: URLRequestDispatcher) async throws {
        let codes = (0..<20_000).map { "E\($0)" }
        server.handle("*", "/long", reply: .json(encoding: codes, status: 422))
        server.handle("*", "/short", reply: .json(encoding: ["E7"], status: 422))
        var post = server.request("/long")
        post.httpMethod = "POST"
        let loaded = try await refused(dispatcher.dataFuture(from: server.request("/long")).validated())
        #expect(try loaded.decode([String].self) == codes)
        let uploaded = try await refused(dispatcher.uploadFuture(from: post, with: Data("x".utf8)).validated())
        #expect(try uploaded.decode([String].self) == codes)
        let short = dispatcher.downloadFuture(from: server.request("/short"), to: folder.file("f"))
        #expect(try await refused(short.validated()).decode([String].self) == ["E7"])
        let long = dispatcher.downloadFuture(from: server.request("/long"), to: folder.file("f"))
        let cut = try await refused(long.validated())
        #expect(cut.body?.count == 4096 && cut.bodyLength == loaded.bodyLength)
        #expect(throws: ResponseDecodingError.self) { try cut.decode([String].self) }
    }

    @Test("MEMORY: a refused download retains no more than the beginning of its body", arguments: dispatchers)
    func largeDownload(dispatcher: URLRequestDispatcher) async throws {
        let count = 3_000_000
        server.handle(
            "GET", "/large",
            reply: LoopbackReply(steps: [
                .head(status: 500, headers: [LoopbackHeader("Content-Length", "\(count)")]), .pattern(count: count),
            ]))
        let future = dispatcher.downloadFuture(from: server.request("/large"), to: folder.file("f"))
        let error = try await refused(future.validated())
        #expect(error.body == LoopbackPattern.data(count: count).prefix(4096))
        #expect(error.bodyLength == Int64(count))
    }

    @Test("A mock's refused download has the body too")
    func mockedDownload() async throws {
        let mock = MockURLRequestDispatcher {
            Response.makeMockResponse(with: $0, data: Data("gone".utf8), statusCode: .gone)
        }
        let future = mock.downloadFuture(from: try fixtureRequest(), to: folder.file("f"))
        #expect(try await refused(future.validated()).bodyText == "gone")
    }

    @Test("The transfer of a refused stream is cancelled")
    func stream() async throws {
        server.handle(
            "GET", "/stalled",
            reply: LoopbackReply(steps: [
                .head(status: 503, headers: [LoopbackHeader("Content-Length", "10")]), .stall,
            ]))
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        let error = try await refused(dispatcher.streamFuture(from: server.request("/stalled")).validated())
        #expect(error.statusCode == .serviceUnavailable && error.body == nil)
        try await server.waitForClosedConnections()
    }

    @Test("After redirects the error names the last request", arguments: dispatchers)
    func redirected(dispatcher: URLRequestDispatcher) async throws {
        let request = server.request("/redirect-to?url=/status/410")
        let error = try await refused(dispatcher.dataFuture(from: request).validated())
        #expect(error.url == server.url("/status/410"))
    }
}

@Suite("Headers of a response", .timeLimit(.minutes(10)))
struct ResponseHeadersTests {
    @Test("They are read by name, whatever its case, and one by one; secrets aren't printed")
    func lines() throws {
        let url = try url("https://example.com")
        let fields = [("Set-Cookie", "a=1"), ("Content-Type", "text/plain"), ("set-cookie", "b=2"), ("X-A", "1\r2")]
        let head = TransferHead(url: url, status: 200, fields: fields.map { (name: $0.0, value: $0.1) })
        let response = Response(data: 7, urlRequest: URLRequest(url: url), head: head)
        #expect(response.headers["content-type"] == "text/plain")
        #expect(response.headers["SET-COOKIE"] == "a=1, b=2")
        #expect(response.headers["ETag"] == nil)
        #expect(response.headers.values(for: "Set-Cookie") == ["a=1", "b=2"])
        #expect(response.headers.map(\.name) == ["Set-Cookie", "Content-Type", "set-cookie", "X-A"])
        #expect(response.headers.map(\.value) == ["a=1", "text/plain", "b=2", "1\r2"])
        #expect(
            "\(response.headers)"
                == #"[Set-Cookie: <redacted>, Content-Type: text/plain, set-cookie: <redacted>, X-A: 1\r2]"#)
    }

    @Test("Those of Foundation's responses are sorted by name, and a response that isn't HTTP has none")
    func foundation() throws {
        let response = try Response.makeMockResponse(
            with: fixtureRequest(), data: nil, statusCode: .ok, headers: ["B": "2", "A": "1"])
        #expect(response.headers["a"] == "1")
        #expect(try response.makeHTTPResponse().headers.map { "\($0.name)=\($0.value)" } == ["A=1", "B=2"])
        #expect(try Array(fixtureFileResponse(nil).headers).isEmpty)
    }

    @Test("Those of a server come as it sent them")
    func server() async throws {
        let server = try LoopbackServer.start()
        let fields = [LoopbackHeader("X-One", "1"), LoopbackHeader("x-two", "2")]
        server.handle("GET", "/headers", reply: .text("", headers: fields))
        let response = try await URLRequestDispatcher(configuration: .ephemeral)
            .dataFuture(from: server.request("/headers")).value
        #expect(response.headers["X-ONE"] == "1" && response.headers["X-Two"] == "2")
        let names = response.headers.map(\.name)
        #expect(names.contains("X-One") && names.contains("x-two"))
        // Decoding changes the body and nothing else.
        let http = try response.makeHTTPResponse()
        #expect(http.headers.map(\.name) == names)
        #expect(try http.decodedIfPresent(Int.self).headers.map(\.name) == names)
        #expect(try http.decodedIfPresent(Int.self).metrics == response.metrics && response.metrics != nil)
    }
}
