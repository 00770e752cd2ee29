#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// libcurl would send a request on one reused connection after the other.
    @Suite("Requests that libcurl repeats", .timeLimit(.minutes(10)))
    struct RepeatedRequestTests {
        private let server: LoopbackServer
        private let engine = makeCurlEngine()

        init() throws { server = try LoopbackServer.start() }

        /// Leaves six idle connections.
        private func openConnections() async throws {
            let gate = LoopbackGate()
            server.handle("GET", "/gate", reply: .text("text").gated(by: gate))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask { [engine, server] in _ = try await engine.load(server.url("/gate")) }
                }
                try await gate.waitForArrivals(6)
                gate.open()
                try await group.waitForAll()
            }
        }

        @Test("RFC 9110, 9.2.2: an idempotent request is sent twice at most, however many connections are idle")
        func sentTwice() async throws {
            try await openConnections()
            server.handle("GET", "/drop", reply: LoopbackReply(steps: [.close]))
            let error = await engine.failure(server.url("/drop")) as? TransferError
            #expect(error?.kind == .connectionLost)
            try await server.waitUntilIdle()
            #expect(server.requestCount(path: "/drop") <= 2)
        }

        /// Leaves six idle connections that a request to `/drop` closes. On a new one it is answered.
        private func openClosingConnections() async throws {
            try await openConnections()
            let last = server.acceptedConnections
            server.handle("*", "/drop") { request in
                guard request.connection > last else { return LoopbackReply(steps: [.close]) }
                return .text("text \(String(decoding: request.body, as: UTF8.self))")
            }
        }

        @Test("An idempotent request whose idle connection is closed is sent again on a new one")
        func newConnection() async throws {
            try await openClosingConnections()
            #expect(try await engine.load(server.url("/drop")).data.text == "text ")
            #expect(server.requestCount(path: "/drop") == 2)
        }

        @Test("R2 IDEMPOTENT: so is a POST with an Idempotency-Key, whole", arguments: ["", "body"])
        func keyedPost(body: String) async throws {
            try await openClosingConnections()
            let (data, _, _) = try await engine.load(
                server.url("/drop"), method: "POST", headers: ["Idempotency-Key": "\"key\""], body: Data(body.utf8))
            #expect(data.text == "text \(body)")
            #expect(server.requestCount(path: "/drop") == 2)
        }

        @Test("The error of a POST whose connection is closed says that it isn't sent again, and what allows it")
        func lostPost() async throws {
            try await openClosingConnections()
            let error = await engine.failure(server.url("/drop"), method: "POST") as? TransferError
            #expect(error?.kind == .connectionLost)
            let expected = """
                The connection, or its stream of HTTP/2, was closed before an answer came, and POST isn't sent twice \
                without an Idempotency-Key: see RetryPolicy.addsIdempotencyKey (libcurl 42)
                """
            #expect(error?.failureReason == expected)
            #expect(server.requestCount(path: "/drop") == 1)
        }
    }
#endif
