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

        /// The settings of a configuration, with the user's languages: the session would add them below a cache, which
        /// must see what a `Vary` may name (rule KEY).
        static func makeSettings(_ configuration: URLSessionConfiguration) -> TransferSettings {
            var settings = TransferSettings(configuration)
            if !settings.additionalHeaders.keys.contains(where: { $0.lowercased() == "accept-language" }) {
                settings.additionalHeaders["Accept-Language"] = AcceptLanguage.value(for: Locale.preferredLanguages)
            }
            return settings
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
