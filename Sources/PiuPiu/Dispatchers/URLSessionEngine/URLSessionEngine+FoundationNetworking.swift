#if canImport(FoundationNetworking)
    import FoundationNetworking

    extension URLSessionEngine {
        /// What can't be done.
        static func problem(
            _ configuration: URLSessionConfiguration, _ security: TransferSecurity
        ) -> UnsupportedSettingError? {
            guard security.isStandard else { return .security }
            return configuration.connectionProxyDictionary == nil ? nil : .proxy
        }

        /// Sets what this platform has of its own: no cache, with which Foundation crashes.
        static func prepare(_ configuration: URLSessionConfiguration, for security: TransferSecurity) {
            configuration.urlCache = nil
        }

        /// One without a say in whom to trust, which is none of FoundationNetworking's questions.
        static func makeDelegate(_ security: TransferSecurity) -> SessionDelegate { SessionDelegate() }
    }
#endif
