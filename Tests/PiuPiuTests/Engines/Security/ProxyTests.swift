#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    /// The server is the proxy: it sees the whole address in the request line.
    @Suite("The engine over libcurl: proxies", .timeLimit(.oneProcessAtATime))
    struct ProxyTests {
        private static let target = "http://example.invalid/text?q=1"
        /// The variables of the environment in which libcurl looks for a proxy.
        private static let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

        /// Requests an address that only a proxy can reach, and returns the target that the server saw.
        private static func send(_ configuration: URLSessionConfiguration, _ server: LoopbackServer) async throws
            -> String?
        {
            server.forgetRequests()
            let url = try #require(URL(string: target))
            _ = try await URLRequestDispatcher(configuration: configuration).dataFuture(from: URLRequest(url: url))
                .value
            return server.requests.first?.target
        }

        private func configuration(_ proxies: [String: Any]) -> URLSessionConfiguration {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.connectionProxyDictionary = proxies
            return configuration
        }

        private func proxy(_ server: LoopbackServer, _ others: [String: Any] = [:]) -> URLSessionConfiguration {
            configuration(
                ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": server.port].merging(others) { $1 })
        }

        private func kind(_ configuration: URLSessionConfiguration, _ url: URL) async -> TransferError.Kind? {
            let engine = URLRequestDispatcher(configuration: configuration)
            do {
                _ = try await engine.dataFuture(from: URLRequest(url: url)).value
                return nil
            } catch {
                return (error as? TransferError)?.kind
            }
        }

        @Test("The configuration's proxy gets the request, and the proxy's credentials")
        func ofConfiguration() async throws {
            let server = try LoopbackServer.start()
            let credentials = ["kCFProxyUsernameKey": "user", "kCFProxyPasswordKey": "word"]
            #expect(try await Self.send(proxy(server, credentials), server) == Self.target)
            #expect(
                server.requests.first?.header("Proxy-Authorization")
                    == "Basic \(Data("user:word".utf8).base64EncodedString())")
        }

        @Test("Exceptions, a disabled proxy and an empty dictionary lead to the server itself")
        func direct() async throws {
            let server = try LoopbackServer.start(), refusing = try server.refusingURL().port ?? 0
            let dead: [String: Any] = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": refusing]
            #expect(await kind(configuration(dead), server.url("/text")) == .cannotConnect)
            for change in [["ExceptionsList": ["*.example.com", "127.0.0.1"]], ["HTTPEnable": 0]] as [[String: Any]] {
                #expect(await kind(configuration(dead.merging(change) { $1 }), server.url("/text")) == nil)
            }
            #expect(await kind(configuration([:]), server.url("/text")) == nil)
        }

        /// Lists with a host that is excluded.
        private static let exceptions = [
            (["127.0.0.1"], "127.0.0.1"), (["", " LocalHost "], "localhost"), (["localhost"], "a.localhost"),
            ([".localhost"], "a.localhost"), (["*.localhost"], "a.localhost"), (["*"], "127.0.0.1"),
            (["example.com", "*"], "127.0.0.1"), (["my_host-1", "127.0.0.1"], "127.0.0.1"), (["::1"], "[::1]"),
            (["[::1]"], "[::1]"), (["0:0:0:0:0:0:0:1"], "[::1]"),
        ]

        /// How a request to a port where nobody listens ends, if its host is in the list; a proxy would answer it.
        private func ending(of list: Any, _ host: String) async throws -> TransferError.Kind? {
            let server = try LoopbackServer.start(), port = try server.refusingURL().port ?? 0
            let target = try url("http://\(host):\(port)/")
            let found = await kind(proxy(server, ["ExceptionsList": list]), target)
            #expect(server.acceptedConnections == 0)
            return found
        }

        @Test("A request to a host of ExceptionsList doesn't go to the proxy", arguments: exceptions)
        func excluded(list: [String], host: String) async throws {
            #expect(try await ending(of: list, host) == .cannotConnect)
        }

        @Test(
            "A request to an address in a network of ExceptionsList doesn't go to the proxy",
            arguments: ["127/8", "127.0/8", "127.0.0.1/8", "127.0.0.1/32"])
        func excludedNetwork(network: String) async throws {
            let version = try #require(CurlEngine.libraryVersion)
            let isKnown = version.compare("libcurl/7.86", options: .numeric) != .orderedAscending
            #expect(try await ending(of: [network], "127.0.0.1") == (isKnown ? .cannotConnect : .unsupportedSetting))
        }

        @Test(
            "An entry of ExceptionsList that libcurl would ignore is refused, if there is a proxy",
            arguments: [
                "127.0.0.*", "*localhost", "local*", "localhost:9", "localhost.", "a,localhost", "a localhost",
                "*.0.0.1", "127.1", "127.0.0.01", "[127.0.0.1]", "127.0.0.0/0", "127/33", "127/", "/8", "127./8",
                "127.0.0.0.0/8", "127/8/8", "::1/128", "[::1", "[::1]:9", "http://localhost", "bücher.example", ".",
                "*.", "**",
            ])
        func refusedException(entry: String) async throws {
            #expect(try await ending(of: [entry], "127.0.0.1") == .unsupportedSetting)
            let server = try LoopbackServer.start()
            let disabled = proxy(server, ["HTTPEnable": 0, "ExceptionsList": [entry]])
            #expect(await kind(disabled, server.url("/text")) == nil)
        }

        @Test("An ExceptionsList that is no list of texts is refused")
        func noExceptions() async throws {
            for list in ["localhost", [1], ["localhost", 1] as [Any]] as [Any] {
                #expect(try await ending(of: list, "127.0.0.1") == .unsupportedSetting)
            }
        }

        @Test("HTTPS has a proxy of its own, which may refuse the tunnel")
        func https() async throws {
            let server = try LoopbackServer.start()
            let url = try #require(URL(string: "https://127.0.0.1:1/"))
            let proxies: [String: Any] = ["HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": server.port]
            #expect(await kind(configuration(proxies), url) == .cannotConnect)
            #expect(server.acceptedConnections == 1)
        }

        @Test("Unsupported settings are refused: an automatic configuration, a proxy without a host")
        func refused() async throws {
            let server = try LoopbackServer.start()
            for proxies in [
                ["ProxyAutoConfigEnable": 1], ["HTTPEnable": 1], ["HTTPEnable": true, "HTTPProxy": "a", "HTTPPort": 0],
                ["SOCKSEnable": 1, "SOCKSProxy": "a", "SOCKSPort": "x"],
            ] as [[String: Any]] {
                #expect(await kind(configuration(proxies), server.url("/text")) == .unsupportedSetting)
            }
            #expect(server.requests.isEmpty)
            // URLSession on Linux would ignore it.
            let session = URLRequestDispatcher(engine: .urlSession(proxy(server)))
            await #expect(throws: TransferError.self) {
                try await session.dataFuture(from: server.request("/text")).value
            }
            #expect(server.requests.isEmpty)
        }

        @Test(
            "A proxy whose host libcurl could not parse is refused",
            arguments: [
                "a:1", "http://a", "a/b", "u@a", "", " ", "a b", ".", ".a", "a..b", "[a]", "[::1", "::1]", "[[::1]]",
                "[]", "[127.0.0.1]", "[::1]:80", "::1%", "::1%a]b", "a%41", "a?b", "a#b",
            ])
        func refusedHost(host: String) async throws {
            for kind in ["HTTP", "SOCKS"] {
                let proxies: [String: Any] = ["\(kind)Enable": 1, "\(kind)Proxy": host, "\(kind)Port": 1]
                let target = try url(Self.target)
                #expect(await self.kind(configuration(proxies), target) == .unsupportedSetting)
            }
        }

        @Test(
            "The host of a proxy may be an address of IPv6, with or without brackets, or any name",
            arguments: [
                "[::1]", "::1", "[::1%lo]", "::1%lo", "127.1", "localhost", "my_proxy-1.localhost",
            ])
        func host(host: String) async throws {
            let server = try LoopbackServer.start()
            let proxies: [String: Any] = [
                "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": try server.refusingURL().port ?? 0,
            ]
            let dispatcher = URLRequestDispatcher(configuration: configuration(proxies))
            let error = await #expect(throws: TransferError.self) {
                _ = try await dispatcher.dataFuture(from: URLRequest(url: try url(Self.target))).value
            }
            // It has tried to connect: 5 would be a proxy that it doesn't find.
            #expect((error?.underlyingError as? CurlError)?.code == 7)
        }

        @Test(
            "The environment's proxy gets the request, unless NO_PROXY or an empty dictionary prevents that",
            .oneProcessAtATime)
        func ofEnvironment() async {
            await #expect(processExitsWith: .success) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                for name in ProxyTests.variables { unsetenv(name) }
                let earlier = URLRequestDispatcher(configuration: .ephemeral)
                setenv("http_proxy", "http://127.0.0.1:\(server.port)", 1)
                setenv("no_proxy", "127.0.0.1", 1)
                #expect(try await ProxyTests.send(.ephemeral, server) == ProxyTests.target)
                server.forgetRequests()
                let direct = URLRequestDispatcher(configuration: .ephemeral)
                _ = try await direct.dataFuture(from: server.request("/text")).value
                #expect(server.requests.map(\.target) == ["/text"])
                unsetenv("no_proxy")
                setenv("http_proxy", "http://127.0.0.1:\(try server.refusingURL().port ?? 0)", 1)
                let none = URLSessionConfiguration.ephemeral
                none.connectionProxyDictionary = [:]
                _ = try await URLRequestDispatcher(configuration: none).dataFuture(from: server.request("/text")).value
                // It was made when there was no proxy.
                _ = try await earlier.dataFuture(from: server.request("/text")).value
            }
        }

        @Test("libcurl looks for proxies only in an environment that has some")
        func noneInEnvironment() {
            func ignores(_ environment: [String: String]) -> Bool {
                CurlSetup(.ephemeral, TransferSecurity(), environment: environment).ignoresEnvironment
            }
            // libcurl reads no HTTP_PROXY, which may be a header of a CGI request.
            #expect(ignores(["HTTP_PROXY": "a", "NO_PROXY": "b"]))
            for name in Self.variables { #expect(!ignores([name: "a"]), "\(name)") }
        }

        @Test("A request may go through a proxy of the configuration, or else of the environment")
        func mayHaveProxy() throws {
            func mayHave(
                _ proxies: [AnyHashable: Any]?, _ environment: [String: String] = [:], socket: String? = nil
            ) throws -> Bool {
                let configuration = URLSessionConfiguration.ephemeral
                configuration.connectionProxyDictionary = proxies
                let setup = CurlSetup(
                    configuration, TransferSecurity(), unixSocketPath: socket, environment: environment)
                return setup.mayHaveProxy(for: try url("http://127.0.0.1/"))
            }
            let some = ["http_proxy": "a"]
            #expect(try mayHave(["HTTPEnable": 1, "HTTPProxy": "a"]) == true)
            #expect(try mayHave(nil, some) == true)
            #expect(try mayHave(nil) == false)
            #expect(try mayHave(["HTTPSEnable": 1, "HTTPSProxy": "a"]) == false)
            #expect(try mayHave([:], some) == false)
            #expect(try mayHave(nil, some, socket: "/a") == false)
        }

        @Test("The password of the environment's proxy is in no error", .oneProcessAtATime)
        func secretOfEnvironment() async {
            await #expect(processExitsWith: .success) {
                try InheritedSockets.close()
                let longSecret = "pwsecret" + String(repeating: "'@/", count: 100)
                for proxy in [
                    "http://us:pwsecret@127.0.0.1:99999", "foo://us:pwsecret@127.0.0.1:1", "http://us:pw'secret@[::1",
                    "http://us:\(longSecret)@127.0.0.1:99999", "http://us:pwsecret@nohost.invalid:81",
                    "https://us:pwsecret@127.0.0.1:1",
                ] {
                    setenv("http_proxy", proxy, 1)
                    let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                    let error = await #expect(throws: TransferError.self) {
                        _ = try await dispatcher.dataFuture(from: URLRequest(url: try url(ProxyTests.target))).value
                    }
                    let underlying = try #require(error?.underlyingError as? CurlError)
                    for text in ["\(error as Any)", "\(underlying)", underlying.message, error?.localizedDescription] {
                        #expect(text?.contains("secret") == false, "\(underlying.code)")
                    }
                    #expect(!underlying.message.isEmpty)
                }
            }
        }
    }
#endif
