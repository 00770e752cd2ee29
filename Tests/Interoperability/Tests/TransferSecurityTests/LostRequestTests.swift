#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import Testing

    /// libcurl sends a request again whose connection of HTTP/2 is over, and says nothing of why: a server may have refused
    /// it, or have carried it out.
    @Suite("Requests whose connection is lost", .timeLimit(.minutes(10)))
    struct LostRequestTests {
        private let authority: LocalAuthority
        private let dispatcher: URLRequestDispatcher

        init() throws {
            authority = try LocalAuthority()
            dispatcher = URLRequestDispatcher(
                configuration: .ephemeral, security: TransferSecurity(authorities: try only(authority)))
        }

        @Test(
            "HTTP/2: no POST is sent again whose connection is closed or reset, alone or beside others",
            arguments: 0..<3, ["/close", "/break"])
        func posts(place: Int, path: String) async throws {
            let identity = try authority.issueHere()
            for _ in 0..<2 {
                try await TLSServer.run(identity, TLSServer.Options(protocols: ["h2"])) { server in
                    _ = try await dispatcher.text(server.url())
                    let futures = try (0..<3).map { number in
                        let url = try server.url(number == place ? path : "/held/\(number)")
                        return dispatcher.uploadFuture(
                            from: URLRequest(url: url, method: .post), with: Data("body".utf8))
                    }
                    let results = try await ResponseFuture.whenAllComplete(futures).value
                    #expect(throws: TransferError.self) { try results[place].get() }
                    #expect(Set(server.paths).count == server.paths.count, "\(server.paths)")
                }
            }
        }
    }
#endif
