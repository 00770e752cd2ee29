#if os(Linux)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import Testing

    /// A server may answer before it has the request's body, and then reset the stream (RFC 9113, section 8.1).
    @Suite("HTTP/2: answers before the end of an upload", .timeLimit(.minutes(10)))
    struct AnsweredUploadTests {
        private let authority: LocalAuthority

        init() throws {
            authority = try LocalAuthority()
        }

        private func run(_ work: (TLSServer, URLRequestDispatcher) async throws -> Void) async throws {
            let security = TransferSecurity(authorities: try only(authority))
            let engine = try #require(CurlEngine(configuration: .ephemeral, security: security))
            let options = TLSServer.Options(protocols: ["h2", "http/1.1"])
            try await TLSServer.run(try authority.issueHere(), options) { server in
                try await work(server, URLRequestDispatcher(engine: engine))
            }
        }

        /// The answer to more than the window of a stream takes.
        private func answer(to url: URL, by dispatcher: some UploadDispatcher) async throws -> Data? {
            var request = URLRequest(url: url, method: .post)
            request.timeoutInterval = 3600
            return try await dispatcher.uploadFuture(from: request, with: Data(count: 1_000_000)).value.data
        }

        @Test("A coded answer without a length counts, and the connection stays in use")
        func coded() async throws {
            try await run { server, dispatcher in
                let data = try await answer(to: server.url("/early/coded"), by: dispatcher)
                #expect(data == Data("ok".utf8))
                let next = try await dispatcher.text(server.url())
                #expect(next.hasPrefix("HTTP/2") && server.connections == 1)
            }
        }

        @Test("A complete answer ends an upload that the server doesn't take, whatever the timeout of the request")
        func withLength() async throws {
            try await run { server, dispatcher in
                let data = try await answer(to: server.url("/early"), by: dispatcher)
                #expect(data == Data("ok".utf8))
                let next = try await dispatcher.text(server.url())
                #expect(next.hasPrefix("HTTP/2") && server.connections == 1)
            }
        }

        @Test("A complete answer ends such an upload in time for a deadline")
        func withDeadline() async throws {
            try await run { server, dispatcher in
                var data: Data?
                // On a busy machine the answer may take longer.
                for seconds in [5, 20, 80] where data == nil {
                    do {
                        let limited = dispatcher.deadline(.seconds(seconds))
                        data = try await answer(to: server.url("/early"), by: limited)
                    } catch is DeadlineExceeded {}
                }
                #expect(data == Data("ok".utf8))
            }
        }
    }
#endif
