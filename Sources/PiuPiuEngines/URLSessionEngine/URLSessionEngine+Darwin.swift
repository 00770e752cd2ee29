#if canImport(Darwin)
    import Foundation

    extension URLSessionEngine {
        /// The setting that this engine doesn't support here; `nil` if it supports all of them.
        static func problem(
            _ configuration: URLSessionConfiguration, _ security: TransferSecurity
        ) -> UnsupportedSettingError? {
            guard configuration.identifier == nil else { return .backgroundSession }
            return security.clientCertificate == nil ? PinnedHosts(security).problem : .clientCertificate
        }

        /// Sets what this platform has of its own.
        static func prepare(_ configuration: URLSessionConfiguration, for security: TransferSecurity) {
            switch security.minimumTLSVersion {
            case .tls12: configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
            case .tls13: configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
            case nil: break
            }
        }

        /// What answers the challenges of the session's servers.
        static func makeDelegate(_ security: TransferSecurity) -> SessionDelegate { SessionDelegate(security) }
    }
#endif
