#if canImport(FoundationNetworking)
    import FoundationNetworking

    extension URLSessionEngine {
        /// The setting that this engine doesn't support here; `nil` if it supports all of them.
        static func problem(
            _ configuration: URLSessionConfiguration, _ security: TransferSecurity
        ) -> UnsupportedSettingError? {
            guard security.isStandard else { return .security }
            return configuration.connectionProxyDictionary == nil ? nil : .proxy
        }

        /// The settings of a configuration: a session adds no languages here.
        static func makeSettings(_ configuration: URLSessionConfiguration) -> TransferSettings {
            TransferSettings(configuration)
        }

        /// Sets what this platform has of its own: no cache, with which Foundation crashes.
        static func prepare(_ configuration: URLSessionConfiguration, for security: TransferSecurity) {
            configuration.urlCache = nil
        }

        /// A delegate without a `TransferSecurity`: FoundationNetworking doesn't ask it which servers to trust.
        static func makeDelegate(_ security: TransferSecurity) -> SessionDelegate { SessionDelegate() }
    }
#endif
