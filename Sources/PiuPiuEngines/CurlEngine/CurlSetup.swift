#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    package import Foundation
    package import FoundationNetworking

    /// The options of an engine for all of its transfers, beside those of the request: trust and proxies.
    package struct CurlSetup: Sendable {
        package enum Value: Sendable, Equatable {
            case number(Int64)
            case text(String?)
        }

        /// Whether the environment has no proxies, so that libcurl need not look for them at each request: it must not
        /// while another thread changes the environment.
        package let ignoresEnvironment: Bool

        /// Why nothing can be sent.
        package private(set) var problem: UnsupportedSettingError?

        private let pins: PinnedHosts
        private let isStandard: Bool
        private let unixSocketPath: String?
        /// How long a connection may take, if that has a limit of its own.
        let connectTimeout: Duration?
        private var ofSecurity: [CurlOption: Value] = [:]
        private var proxy: CurlProxy?
        private var files: [CurlMemoryFile] = []

        /// The length of `sun_path` in `sockaddr_un`, less the terminating zero.
        private static let longestSocketPath = 107

        /// Makes the options of a configuration and a security.
        ///
        /// - Parameters:
        ///   - unixSocketPath: the target of all requests, whatever their host.
        ///   - connectTimeout: how long a connection may take.
        ///   - systemAuthorities: the authorities of the system.
        ///   - environment: the variables of the process.
        package init(
            _ configuration: URLSessionConfiguration, _ security: TransferSecurity, unixSocketPath: String? = nil,
            connectTimeout: Duration? = nil, systemAuthorities: SystemAuthorities = .standard,
            environment: [String: String] = ProcessInfo.processInfo.environment
        ) {
            pins = PinnedHosts(security)
            self.unixSocketPath = unixSocketPath
            self.connectTimeout = connectTimeout
            isStandard = security.isStandard && systemAuthorities.substitute == nil && unixSocketPath == nil
            problem = pins.problem
            ignoresEnvironment = CurlProxy.isNone(in: environment)
            do {
                proxy = try configuration.connectionProxyDictionary.map { proxies throws(UnsupportedSettingError) in
                    try CurlProxy(proxies)
                }
                try trust(security.authorities, systemAuthorities)
                if let identity = security.clientCertificate { try identify(identity) }
            } catch {
                problem = error
            }
            if let unixSocketPath, !Self.isSocketPath(unixSocketPath) { problem = .unixSocketPath(unixSocketPath) }
            if connectTimeout != nil, !CurlTransfer.hasQuickExit { problem = .connectTimeout }
            switch security.minimumTLSVersion {
            case .tls12: ofSecurity[.sslVersion] = .number(6)
            case .tls13: ofSecurity[.sslVersion] = .number(7)
            case nil: break
            }
        }

        /// Whether the system would take all of a path: a zero byte ends it.
        private static func isSocketPath(_ path: String) -> Bool {
            (1...longestSocketPath).contains(path.utf8.count) && !path.utf8.contains(0)
        }

        private mutating func trust(
            _ authorities: TransferSecurity.Authorities, _ system: SystemAuthorities
        ) throws(UnsupportedSettingError) {
            switch authorities {
            case .system:
                if let other = system.substitute { ofSecurity[.authorityFile] = .text(other) }
            case .only(let certificates):
                ofSecurity[.authorityFile] = .text(try path(to: certificates.pem))
                ofSecurity[.authorityFolder] = .text(nil)
            case .systemAnd(let certificates):
                // The folder of the system's authorities stays set, but not every build of libcurl has one.
                ofSecurity[.authorityFile] = .text(try path(to: system.pem + "\n" + certificates.pem))
            }
        }

        private mutating func identify(
            _ identity: TransferSecurity.ClientCertificate
        ) throws(UnsupportedSettingError) {
            ofSecurity[.sslCertificate] = .text(try path(to: identity.certificate.pem))
            ofSecurity[.sslKey] = .text(try path(to: identity.keyPEM))
            ofSecurity[.keyPassword] = identity.password.map { .text($0) }
        }

        /// The path of a file in memory: the options that take bytes fail with GnuTLS, and before 7.77.
        private mutating func path(to text: String) throws(UnsupportedSettingError) -> String {
            guard let file = CurlMemoryFile(Data(text.utf8)) else { throw .memory }
            files.append(file)
            return file.path
        }

        /// Whether a request to `url` may go through a proxy, whose name is looked up instead.
        package func mayHaveProxy(for url: URL?) -> Bool {
            options(for: url)[.proxy].map { $0 != .text("") } ?? !ignoresEnvironment
        }

        /// The options for a request to `url`; the order doesn't matter.
        package func options(for url: URL?) -> [CurlOption: Value] {
            guard proxy != nil || !isStandard else { return [:] }
            let scheme = url?.scheme?.lowercased() ?? ""
            var options = proxy?.options(for: scheme) ?? [:]
            if let unixSocketPath {
                options[.unixSocketPath] = .text(unixSocketPath)
                // A proxy of the environment doesn't apply to a socket of the same machine.
                options[.proxy] = .text("")
                // What arrives on an idle connection would be taken for the next answer (RFC 9112, 9.2): the own port,
                // by which that is found, isn't there. A new connection to a socket of the same machine costs little.
                options[.forbidReuse] = .number(1)
            }
            guard scheme == "https" else { return options }
            options.merge(ofSecurity) { $1 }
            let pins = pins.pins(of: url?.host(percentEncoded: false) ?? "")
            if !pins.isEmpty {
                options[.pinnedPublicKey] = .text(pins.map { "sha256//\($0.base64)" }.joined(separator: ";"))
            }
            return options
        }
    }

    extension CurlSetup: CustomReflectable {
        /// Empty, as the handle of an exchange has it, too: see ``CurlEngine/customMirror``.
        package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
    }
#endif
