#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// libcurl 7.88 takes what arrives on an idle connection for the answer to the next request.
    @Suite("Answers that nobody asked for, over libcurl", .timeLimit(.minutes(3)))
    struct StrayAnswerTests {
        private let server: LoopbackServer
        private let engine = makeStandardEngine(.ephemeral)

        init() throws { server = try LoopbackServer.start() }

        @Test(
            "RFC 9112, 9.2: what arrives on an idle connection is no answer to the next request",
            arguments: [
                "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray", "\r\n",
                String(repeating: "stray ", count: 100_000),
            ], ["GET", "POST"])
        func strayAnswer(stray: String, method: String) async throws {
            let gate = LoopbackGate()
            server.handle(
                "GET", "/first",
                reply: LoopbackReply(steps: [
                    .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst".utf8)), .gate(gate),
                    .raw(Data(stray.utf8)),
                ]))
            server.handle(method, "/second", reply: .text("second"))
            server.handle(method, "/third", reply: .text("third"))
            #expect(try await engine.load(server.url("/first")).data.text == "first")
            try await gate.waitForArrivals()
            gate.open()
            // The client closes the connection as soon as something arrives.
            try await server.waitForClosedConnections()
            let body = method == "POST" ? Data("body".utf8) : nil
            for answer in ["second", "third"] {
                let output = try await engine.load(server.url("/\(answer)"), method: method, body: body)
                #expect(output.data.text == answer)
            }
            #expect(server.requestCount() == 3)
        }

        @Test("A stream that nobody reads is not an idle connection")
        func unreadStream() async throws {
            let gate = LoopbackGate(), part = Data(repeating: 0x61, count: 4_000_000)
            server.handle("GET", "/long", reply: .chunked([part, part]) { $0 == 0 ? [] : [.gate(gate)] })
            let dispatcher = URLRequestDispatcher(engine: engine)
            let request = URLRequest(url: server.url("/long"), timeoutInterval: 3600)
            let stream = try await dispatcher.streamFuture(from: request).value
            _ = try await engine.load(server.url("/text"))
            gate.open()
            _ = try await engine.load(server.url("/text"))
            var count = 0
            for try await chunk in stream.data { count += chunk.count }
            #expect(count == 2 * part.count)
        }
    }
#endif
