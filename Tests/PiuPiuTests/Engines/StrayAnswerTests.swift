#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
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
            for path in ["second", "third"] {
                let answer = try await load("/\(path)", method)
                #expect(answer == path)
            }
        }

        @Test(
            "RFC 9112, 9.2: what arrives on an idle connection just before the next request is no answer to it",
            arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray", "stray"], ["GET", "POST"])
        func strayAnswerAtOnce(stray: String, method: String) async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral))
            let hasAnswered = LoopbackGate(), hasStrayed = LoopbackGate(), isThere = DispatchSemaphore(value: 0)
            server.handle(
                "GET", "/first",
                reply: LoopbackReply(steps: [
                    .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst".utf8)), .gate(hasAnswered),
                    .raw(Data(stray.utf8)), .gate(hasStrayed),
                ]))
            server.handle(method, "/second", reply: .text("second"))
            var request = server.request("/second")
            request.httpMethod = method
            let body = method == "POST" ? TransferBody.data(Data("body".utf8)) : .none
            let second = TransferRequest(request, body: body)
            let events = Log<TransferEvent>()
            _ = engine.start(TransferRequest(server.request("/first"))) { event in
                guard event.isTerminal else { return }
                // The thread of libcurl doesn't see what the server sends now before it starts the next request.
                isThere.wait()
                _ = engine.start(second) { events.append($0) }
            }
            try await hasAnswered.waitForArrivals()
            hasAnswered.open()
            try await hasStrayed.waitForArrivals()
            isThere.signal()
            let parts = await events.untilTheEnd().compactMap { if case .body(let data) = $0 { data } else { nil } }
            #expect(parts == [Data("second".utf8)])
            hasStrayed.open()
            #expect(server.requestCount() == 2)
        }

        /// A request that must not be sent twice may fail if something arrives at the moment in which it takes the
        /// connection: that is better than a wrong answer.
        private func load(_ path: String, _ method: String) async throws -> String? {
            let body = method == "POST" ? Data("body".utf8) : nil
            do {
                return try await engine.load(server.url(path), method: method, body: body).data.text
            } catch let error as TransferError where error.kind == .connectionLost && method == "POST" {
                return try await engine.load(server.url(path), method: method, body: body).data.text
            }
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
