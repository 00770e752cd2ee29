#if canImport(CPiuPiuCurl)
    import Foundation

    /// What is known of the origins: which connections carry several exchanges at once, and how patient requests are.
    /// Only on the thread of a loop.
    final class CurlOrigins {
        /// More are forgotten, as a program may visit any number.
        private static let limit = 1_000

        private var multiplexing: Set<String> = []
        /// In milliseconds.
        private(set) var longestTimeout: Int32 = 0

        /// Takes the timeout of a request in milliseconds.
        func heed(timeout: Int32) { longestTimeout = max(longestTimeout, timeout) }

        func multiplexes(_ url: URL?) -> Bool {
            guard !multiplexing.isEmpty, let url else { return false }
            return multiplexing.contains(url.origin)
        }

        /// Takes from a head what its origin does.
        func heed(_ head: TransferHead, of url: URL?) {
            guard head.isMultiplexed, let origin = url?.origin else { return }
            if multiplexing.count >= Self.limit { multiplexing.removeAll() }
            multiplexing.insert(origin)
        }
    }
#endif
