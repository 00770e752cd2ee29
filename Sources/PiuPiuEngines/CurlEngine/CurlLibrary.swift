#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import FoundationNetworking

    /// libcurl, as FoundationNetworking brings it along.
    enum CurlLibrary {
        /// Whether it is there, and new enough.
        static let isUsable: Bool = {
            piu_keep_openssl()
            // Before 7.84 two threads must not initialise it at once, and the first session initialises it, too.
            if (1..<0x075400).contains(piu_version()) { _ = URLSession.shared }
            return piu_load() == nil
        }()
    }
#endif
