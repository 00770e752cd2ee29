#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    /// libcurl 7.88 takes what arrives on an idle connection for the answer to the next request.
    @Suite("Answers that nobody asked for, over libcurl", .timeLimit(.minutes(10)))
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
            let second = request("/second", method)
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
            let all = await events.untilTheEnd()
            #expect(body(of: all) == "second", "\(all)")
            hasStrayed.open()
            #expect(server.requestCount() == 2)
        }

        @Test(
            "RFC 9112, 9.2: when strays have come on many idle connections, the next request is still answered",
            arguments: ["GET", "POST"])
        func manyStrays(method: String) async throws {
            // libcurl tries at most five other connections for a request.
            let count = 8
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = count
            let engine = try #require(CurlEngine(configuration: configuration))
            let areOpen = LoopbackGate(), mayStray = LoopbackGate(), haveStrayed = LoopbackGate()
            let ends = Locked(0), haveEnded = Gate(), areThere = DispatchSemaphore(value: 0)
            server.handle(
                "GET", "/first",
                reply: LoopbackReply(steps: [
                    .gate(areOpen), .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst".utf8)),
                    .gate(mayStray), .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray".utf8)),
                    .gate(haveStrayed),
                ]))
            server.handle(method, "/second", reply: .text("second"))
            let second = request("/second", method), events = Log<TransferEvent>()
            for _ in 0..<count {
                _ = engine.start(TransferRequest(server.request("/first"))) { event in
                    guard event.isTerminal,
                        ends.withLock({
                            $0 += 1; return $0 == count
                        })
                    else { return }
                    haveEnded.open()
                    areThere.wait()
                    _ = engine.start(second) { events.append($0) }
                }
            }
            try await areOpen.waitForArrivals(count)
            areOpen.open()
            await haveEnded.opened()
            mayStray.open()
            try await haveStrayed.waitForArrivals(count)
            areThere.signal()
            let all = await events.untilTheEnd()
            #expect(body(of: all) == "second", "\(all)")
            haveStrayed.open()
            #expect(server.requestCount() == count + 1)
        }

        @Test(
            "RFC 9112, 9.2: what arrives after an upload that was answered early is no answer",
            arguments: ["GET", "POST"])
        func strayAfterUpload(method: String) async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral)), listener = try LocalListener(backlog: 1)
            var request = URLRequest(url: try #require(listener.url))
            request.httpMethod = "POST"
            let upload = TransferRequest(request, body: .data(Data(repeating: 0x61, count: 4_000_000)))
            request.httpMethod = method
            let second = TransferRequest(request), events = Log<TransferEvent>(), isThere = DispatchSemaphore(value: 0)
            _ = engine.start(upload) { event in
                guard event.isTerminal else { return }
                isThere.wait()
                _ = engine.start(second) { events.append($0) }
            }
            Thread.detachNewThread {
                let first = listener.connection()
                _ = first.readHead()
                // libcurl then waits only until it can send more of the body.
                first.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
                first.drop(4_000_000)
                first.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray")
                isThere.signal()
                let next = listener.connection()
                _ = next.readHead()
                next.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond")
            }
            let all = await events.untilTheEnd()
            #expect(body(of: all) == "second", "\(all)")
        }

        @Test(
            "RFC 9110, 9.2.2: a request on a connection that has just been reset was not sent, so it is sent on another one",
            arguments: ["GET", "POST"], ["", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"])
        func resetConnection(method: String, stray: String) async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral)), listener = try LocalListener(backlog: 1)
            var request = URLRequest(url: try #require(listener.url))
            let first = TransferRequest(request), events = Log<TransferEvent>(), hasEnded = DispatchSemaphore(value: 0)
            let isReset = DispatchSemaphore(value: 0)
            request.httpMethod = method
            let second = TransferRequest(request)
            _ = engine.start(first) { event in
                guard event.isTerminal else { return }
                hasEnded.signal()
                isReset.wait()
                _ = engine.start(second) { events.append($0) }
            }
            Thread.detachNewThread {
                do {
                    let connection = listener.connection()
                    _ = connection.readHead()
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
                    hasEnded.wait()
                    connection.write(stray)
                    connection.resetOnClose()
                }
                isReset.signal()
                let next = listener.connection()
                _ = next.readHead()
                next.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond")
            }
            let all = await events.untilTheEnd()
            #expect(body(of: all) == "second", "\(all)")
        }

        @Test("What a server sends on a new connection before it has read the request doesn't close that")
        func earlyAnswer() async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral)), listener = try LocalListener(backlog: 1)
            let early = TransferRequest(URLRequest(url: try #require(listener.url)))
            let events = Log<TransferEvent>(), connection = Locked<LocalConnection?>(nil)
            // When this thread goes on, it finds a new connection and the answer at once.
            let waiting = Locked<(any TransferHandle)?>(nil), gate = LoopbackGate()
            server.handle("GET", "/gate", reply: LoopbackReply(steps: [.gate(gate)]))
            waiting.withLock { handle in
                handle = engine.start(TransferRequest(server.request("/gate"))) { event in
                    guard event.isTerminal else { return }
                    let accepted = listener.connection()
                    accepted.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly")
                    connection.withLock { $0 = accepted }
                }
            }
            _ = engine.start(TransferRequest(server.request("/text"))) { event in
                guard event.isTerminal else { return }
                _ = engine.start(early) { events.append($0) }
                waiting.withLock { $0 }?.cancel()
            }
            let all = await events.untilTheEnd()
            #expect(body(of: all) == "early", "\(all)")
            #expect(connection.withLock { $0?.readHead() }?.hasPrefix("GET / HTTP/1.1\r\n") == true)
            gate.open()
        }

        @Test("After a stray, the error of the next connection has its own text")
        func errorAfterStray() async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral)), listener = try LocalListener(backlog: 1)
            let request = TransferRequest(URLRequest(url: try #require(listener.url)))
            let connection = Locked<LocalConnection?>(nil), events = Log<TransferEvent>()
            _ = engine.start(request) { event in
                guard event.isTerminal else { return }
                // On the thread of libcurl, which therefore doesn't see this before it starts the next request.
                connection.withLock { $0 }?.write("stray")
                listener.stop()
                _ = engine.start(request) { events.append($0) }
            }
            Thread.detachNewThread {
                let accepted = listener.connection()
                _ = accepted.readHead()
                connection.withLock { $0 = accepted }
                accepted.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
            }
            guard case .failed(let error as TransferError) = await events.untilTheEnd().last else {
                Issue.record("\(events.all)")
                return
            }
            #expect(error.kind == .cannotConnect)
            let message = (error.underlyingError as? CurlError)?.message
            #expect(message?.contains("connect") == true, "\(message ?? "none")")
        }

        private func request(_ path: String, _ method: String) -> TransferRequest {
            var request = server.request(path)
            request.httpMethod = method
            return TransferRequest(request, body: method == "POST" ? .data(Data("body".utf8)) : TransferBody.none)
        }

        private func body(of events: [TransferEvent]) -> String {
            let parts = events.compactMap { if case .body(let data) = $0 { data } else { nil } }
            return String(decoding: parts.joined(), as: UTF8.self)
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
