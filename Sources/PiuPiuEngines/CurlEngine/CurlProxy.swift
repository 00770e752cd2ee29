#if canImport(CPiuPiuCurl)
    import Foundation

    /// The proxies of a configuration's `connectionProxyDictionary`, by the keys of Apple's CFNetwork.
    struct CurlProxy: Sendable {
        /// The addresses by the scheme of the request; an empty one for no proxy.
        private let addresses: [String: String]
        private let exceptions: String
        private let userName: String?
        private let password: String?

        /// Whether an environment has none of the variables that libcurl looks for.
        static func isNone(in environment: [String: String]) -> Bool {
            ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].allSatisfy { environment[$0] == nil }
        }

        /// Reads a dictionary.
        ///
        /// - Throws: ``UnsupportedSettingError/proxyEntry(_:)`` for an entry that libcurl doesn't support, or a proxy
        ///   without a host that it can parse.
        init(_ dictionary: [AnyHashable: Any]) throws(UnsupportedSettingError) {
            func text(_ key: String) -> String? { dictionary[key].map { "\($0)" } }
            func isOn(_ key: String) -> Bool { ["1", "true"].contains(text(key)) }
            func address(_ kind: String, _ scheme: String, port: Int) throws(UnsupportedSettingError) -> String? {
                guard isOn("\(kind)Enable") else { return nil }
                guard let host = text("\(kind)Proxy").flatMap(Self.host) else { throw .proxyEntry("\(kind)Proxy") }
                let number = text("\(kind)Port").map { Int($0) } ?? port
                guard let number, (1...65535).contains(number) else { throw .proxyEntry("\(kind)Port") }
                return "\(scheme)://\(host):\(number)"
            }
            for key in ["ProxyAutoConfigEnable", "ProxyAutoDiscoveryEnable", "ExcludeSimpleHostnames"] where isOn(key) {
                throw .proxyEntry(key)
            }
            let socks = try address("SOCKS", "socks5h", port: 1080) ?? ""
            addresses = [
                "http": try address("HTTP", "http", port: 80) ?? socks,
                "https": try address("HTTPS", "http", port: 80) ?? socks,
            ]
            // Without a proxy there is no exception from it.
            let isDirect = addresses.values.allSatisfy(\.isEmpty)
            exceptions = try isDirect ? "" : Self.exceptions(dictionary["ExceptionsList"])
            userName = text("kCFProxyUsernameKey")
            password = text("kCFProxyPasswordKey")
        }

        /// The options for requests of a scheme. All are set, as the environment would replace missing ones.
        func options(for scheme: String) -> [CurlOption: CurlSetup.Value] {
            [
                .proxy: .text(addresses[scheme] ?? ""), .noProxy: .text(exceptions),
                .proxyUserName: .text(userName), .proxyPassword: .text(password),
            ]
        }
    }
#endif
