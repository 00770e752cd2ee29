#if canImport(CPiuPiuCurl)
    import Foundation

    /// What is known of the origins: which connections carry several exchanges at once, and how patient requests are.
    /// Only on the thread of a loop.
    final class CurlOrigins {
        /// More are forgotten, as a program may visit any number.
        private static let limit = 1_000

        /// Whether libcurl may look up the host of a transfer now; otherwise the transfer fails. The loop decides.
        var mayLookUp: (CurlTransfer) -> Bool = { _ in true }

        private var multiplexing: Set<String> = []
        /// The longest timeouts so far, in milliseconds, where they are longer than the usual ones.
        private var timeouts: [String: Int32] = [:]

        /// Takes a timeout of a request, in milliseconds, which is longer than the usual ones.
        func heed(timeout: Int32, of url: URL?) {
            guard let origin = url?.origin else { return }
            let known = timeouts[origin]
            if known == nil, timeouts.count >= Self.limit { timeouts.removeAll() }
            timeouts[origin] = max(known ?? 0, timeout)
        }

        /// The longest of them.
        func longestTimeout(of url: URL?) -> Int32 {
            guard !timeouts.isEmpty, let url else { return 0 }
            return timeouts[url.origin] ?? 0
        }

        func multiplexes(_ url: URL?) -> Bool {
            guard !multiplexing.isEmpty, let url else { return false }
            return multiplexing.contains(url.origin)
        }

        /// Takes from a head what its origin does.
        func heed(_ head: TransferHead, of url: URL?) {
            guard head.isMultiplexed, let origin = url?.origin, !multiplexing.contains(origin) else { return }
            if multiplexing.count >= Self.limit { multiplexing.removeAll() }
            multiplexing.insert(origin)
        }
    }
#endif
