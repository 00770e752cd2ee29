import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Headers that say how a body is sent", .timeLimit(.minutes(10)))
struct BodyHeaderTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test("NEVER-HANG: the caller's Transfer-Encoding isn't sent", arguments: ["GET", "POST"])
    func transferEncoding(method: String) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Transfer-Encoding": "chunked"]
        for engine in [makeStandardEngine(.ephemeral), .urlSession(.ephemeral), makeStandardEngine(configuration)] {
            let dispatcher = URLRequestDispatcher(engine: engine)
            var request = server.request("/echo")
            request.httpMethod = method
            request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
            let plain = try Echo(try await dispatcher.dataFuture(from: request).value.data)
            #expect(plain.method == method && plain.header("Transfer-Encoding") == nil && plain.body.isEmpty)
            guard method == "POST" else { continue }
            let sent = try Echo(try await dispatcher.uploadFuture(from: request, with: Data("body".utf8)).value.data)
            #expect(sent.body == "body" && sent.header("Content-Length") == "4")
        }
    }

    @Test(
        "A dispatcher's header that would inject another one is refused", arguments: ["a\r\nX-Injected: 1", "a\0"])
    func additionalHeaders(value: String) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Header": value]
        for engine in [makeStandardEngine(configuration), .urlSession(configuration)] {
            let dispatcher = URLRequestDispatcher(engine: engine)
            let error = await #expect(throws: InvalidRequestError.self) {
                _ = try await dispatcher.dataFuture(from: server.request("/echo")).value
            }
            #expect(error == .invalidHeaderValue(name: "X-Header", url: server.url("/echo")))
        }
        #expect(server.requestCount() == 0)
    }

    @Test("A header whose value is blank is sent", arguments: ["", " ", "\t ", "a "])
    func blankValue(value: String) async throws {
        let sent = try Echo(
            try await makeStandardEngine(.ephemeral).load(server.url("/echo"), headers: ["X-Blank": value]).data)
        #expect(sent.header("X-Blank") == value.trimmingCharacters(in: .whitespaces))
    }

    @Test("A body without a Content-Type isn't called a form", arguments: ["POST", "PUT", "PATCH"])
    func untypedBody(method: String) async throws {
        #if canImport(Darwin)
            // There `URLSession` sends one in any case.
            let standard: String? = "application/octet-stream"
        #else
            let standard: String? = nil
        #endif
        for engine in [makeStandardEngine(.ephemeral), .urlSession(.ephemeral)] {
            let dispatcher = URLRequestDispatcher(engine: engine)
            for type in [nil, "text/csv"] {
                var request = server.request("/echo")
                request.httpMethod = method
                request.setValue(type, forHTTPHeaderField: "Content-Type")
                let upload = try await dispatcher.uploadFuture(from: request, with: Data("a,b".utf8)).value
                request.httpBody = Data("a,b".utf8)
                let data = try await dispatcher.dataFuture(from: request).value
                for response in [upload, data] {
                    #expect(try Echo(response.data).header("Content-Type") == type ?? standard)
                    #expect(response.urlRequest.value(forHTTPHeaderField: "Content-Type") == type)
                }
            }
        }
    }

    @Test(
        "A chunked body arrives whole, whatever its Content-Length says (RFC 9112, section 6.3)",
        arguments: ValidatedTransferTests.dispatchers, [["3"], ["500"], ["9223372036854775807"], ["3", "500"]])
    func chunkedWithLength(dispatcher: URLRequestDispatcher, lengths: [String]) async throws {
        let body = LoopbackPattern.data(count: 100)
        server.handle(
            "GET", "/both",
            reply: LoopbackReply(steps: [
                .head(
                    status: 200,
                    headers: lengths.map { LoopbackHeader("Content-Length", $0) }
                        + [LoopbackHeader("Transfer-Encoding", "chunked")]),
                .patternChunk(count: 100), .lastChunk(trailers: []),
            ]))
        #expect(try await dispatcher.dataFuture(from: server.request("/both")).value.data == body)
    }

    @Test(
        "A gzip body may have a long comment and any number of flushes", arguments: ValidatedTransferTests.dispatchers)
    func flushes(dispatcher: URLRequestDispatcher) async throws {
        var body = Data([0x1F, 0x8B, 8, 0x10, 0, 0, 0, 0, 0, 0xFF])
        body.append(Data(repeating: UInt8(ascii: "c"), count: 1 << 20) + [0])
        // Empty blocks, and a last one of five bytes.
        for _ in 0..<200_000 { body.append(contentsOf: [0, 0, 0, 0xFF, 0xFF]) }
        body.append(Data([1, 5, 0, 0xFA, 0xFF]) + Data("whole".utf8) + [0x4F, 0x29, 0x59, 0xC4, 5, 0, 0, 0])
        server.handle(
            "GET", "/gzip", reply: .response(headers: [LoopbackHeader("Content-Encoding", "gzip")], body: body))
        #expect(try await dispatcher.dataFuture(from: server.request("/gzip")).value.data == Data("whole".utf8))
    }
}
