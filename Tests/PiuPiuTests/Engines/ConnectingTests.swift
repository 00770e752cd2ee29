#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import PiuPiuTesting
    import Testing

    @Suite("The engine over libcurl: abandoned connections", .timeLimit(.minutes(10)))
    struct ConnectingTests {
        /// A port whose backlog is full: the next connection stays in the connecting state.
        private final class FullPort {
            private let listener: LocalListener
            private let clients: [Int32]

            init() throws {
                let listener = try LocalListener(backlog: 0)
                clients = (0..<4).map { _ in
                    let client = socket(
                        AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
                    _ = LocalListener.call(connect, client, listener.address)
                    return client
                }
                self.listener = listener
            }

            deinit { for client in clients { close(client) } }

            var url: URL? { listener.url }
        }

        @Test("NEVER-HANG: requests are answered after another was cancelled while it connected")
        func cancelledWhileConnecting() async throws {
            let server = try LoopbackServer.start(), port = try FullPort(), engine = makeCurlEngine()
            defer { withExtendedLifetime(port) {} }
            let other = URLRequest(url: try #require(port.url)), events = Log<TransferEvent>()
            for round in 0..<20 {
                let handle = engine.start(TransferRequest(other), onEvent: events.append)
                // The loop takes requests in turn, so the other one has begun to connect.
                _ = try await engine.load(server.url("/text"))
                handle.cancel()
                // The first takes the open connection, and the next ones take the free place.
                let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                    for _ in 0...round {
                        group.addTask { try await engine.load(server.url("/delay/5")).head.status }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.allSatisfy { $0 == 200 })
            }
        }

        @Test(
            "A connection that breaks during the handshake of TLS is tried again, also for a POST",
            arguments: ["GET", "POST"])
        func brokenHandshake(method: String) async throws {
            let listener = try LocalListener(backlog: 8)
            defer { listener.stop() }
            Thread.detachNewThread {
                for _ in 0..<3 {
                    let connection = listener.connection()
                    // The client has begun the handshake.
                    connection.drop(1)
                    connection.resetOnClose()
                }
            }
            let address = try #require(listener.url?.absoluteString.replacing("http:", with: "https:"))
            var request = URLRequest(url: try url(address))
            request.httpMethod = method
            let dispatcher = URLRequestDispatcher(configuration: .ephemeral).retrying(.fixed(SkippingClock()))
            let error = await #expect(throws: TransferError.self) {
                try await dispatcher.dataFuture(from: request).value
            }
            #expect(error?.kind == .cannotConnect)
            #expect(error?.earlierAttempts.count == 2)
        }

        @Test(
            "A host that doesn't answer is given up after the time for a connection, and a POST sent again",
            arguments: ["http", "https"])
        func connectTimeout(scheme: String) async throws {
            let port = try FullPort()
            defer { withExtendedLifetime(port) {} }
            let engine = try #require(CurlEngine(configuration: .ephemeral, connectTimeout: .milliseconds(50)))
            var policy = RetryPolicy()
            policy.baseDelay = .zero
            let dispatcher = URLRequestDispatcher(engine: engine).retrying(policy)
            let url = try #require(port.url?.absoluteString.replacing("http:", with: "\(scheme):"))
            var request = URLRequest(url: try #require(URL(string: url)))
            request.httpMethod = "POST"
            request.httpBody = Data("a".utf8)
            let error = await #expect(throws: TransferError.self) {
                try await dispatcher.dataFuture(from: request).value
            }
            #expect(error?.kind == .cannotConnect)
            #expect(error?.earlierAttempts.count == 2)
        }

        @Test("The time for a connection limits its handshake of TLS, but neither the server's thinking nor the body")
        func connectTimeoutOfOthers() async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral, connectTimeout: .seconds(1)))
            let server = try LoopbackServer.start(), silent = try LocalListener(backlog: 8)
            defer { withExtendedLifetime(silent) {} }
            let address = try #require(silent.url?.absoluteString.replacing("http:", with: "https:"))
            let handshake = Task { try await engine.load(try url(address)) }
            #expect(try await engine.load(server.url("/delay/1500")).head.status == 200)
            let error = await #expect(throws: TransferError.self) { _ = try await handshake.value }
            #expect(error?.kind == .cannotConnect)
        }

        @Test("Chunks of a body aren't asked for before there is a connection")
        func chunksWithoutConnection() async throws {
            let server = try LoopbackServer.start(), port = try FullPort(), engine = makeCurlEngine()
            defer { withExtendedLifetime(port) {} }
            var request = URLRequest(url: try #require(port.url))
            request.httpMethod = "POST"
            let chunks = AskedChunks(1), events = Log<TransferEvent>()
            let body = TransferBody.chunks(TransferChunks(chunks))
            let handle = engine.start(TransferRequest(request, body: body), onEvent: events.append)
            // The loop takes requests in turn, so the upload has begun to connect.
            _ = try await engine.load(server.url("/text"))
            handle.cancel()
            _ = await events.untilTheEnd()
            #expect(chunks.asked.withLock { $0 } == 0)
        }
    }
#endif
