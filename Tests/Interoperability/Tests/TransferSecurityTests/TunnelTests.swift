#if os(Linux)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import Testing

    @Suite("Proxies that only forward", .timeLimit(.minutes(10)))
    struct TunnelTests {
        private static let host = "name.invalid"

        private let authority: LocalAuthority

        init() throws {
            authority = try LocalAuthority()
        }

        private func dispatcher(_ proxies: [String: Any]) throws -> URLRequestDispatcher {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.connectionProxyDictionary = proxies
            return URLRequestDispatcher(
                configuration: configuration, security: TransferSecurity(authorities: try only(authority)))
        }

        @Test("CONNECT reaches a server over TLS; the proxy alone sees its credentials, and the name of the host")
        func connect() async throws {
            let identity = try authority.issue(.host(Self.host))
            try await TLSServer.run(identity) { server in
                let url = try server.url(host: Self.host)
                try await TunnelProxy.run { proxy in
                    let dispatcher = try dispatcher([
                        "HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": proxy.port,
                        "kCFProxyUsernameKey": "user", "kCFProxyPasswordKey": "word",
                    ])
                    var request = URLRequest(url: url)
                    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
                    for _ in 0..<3 {
                        let response = try await dispatcher.dataFuture(from: request).value
                        #expect(response.head.status == 200)
                        // The proxy's own answer is no part of the response.
                        #expect(response.head.value(for: "Content-Length") == "\(response.data?.count ?? 0)")
                    }
                    let head = try #require(proxy.requests.first)
                    #expect(head.hasPrefix("CONNECT \(Self.host):\(url.port ?? 0) HTTP/1."))
                    #expect(head.contains("Proxy-Authorization: Basic \(Data("user:word".utf8).base64EncodedString())"))
                    #expect(!head.contains("Bearer"))
                    #expect(proxy.requests.count == 1, "the tunnel is reused")
                }
            }
        }

        @Test("SOCKS 5 carries both schemes, and the proxy resolves the name")
        func socks() async throws {
            for scheme in ["http", "https"] {
                let identity = try authority.issue(.host(Self.host))
                try await TLSServer.run(scheme == "https" ? identity : nil) { server in
                    let url = try server.url(scheme: scheme, host: Self.host)
                    try await TunnelProxy.run { proxy in
                        let dispatcher = try dispatcher([
                            "SOCKSEnable": 1, "SOCKSProxy": "127.0.0.1", "SOCKSPort": proxy.port,
                        ])
                        #expect(try await dispatcher.text(url).hasPrefix("HTTP/1.1 "))
                        #expect(proxy.requests == ["SOCKS \(Self.host):\(url.port ?? 0)"])
                    }
                }
            }
        }
    }
#endif
