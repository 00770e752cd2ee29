#if canImport(CPiuPiuCurl)
    import Foundation
    import FoundationNetworking

    /// Which connection an exchange may use, and for how long one is waited for. Only on the thread of a loop.
    struct CurlConnecting {
        /// The range of ``patience`` in milliseconds. Linux itself gives up after the longer one.
        private static let patiences: ClosedRange<Int32> = 60_000...900_000
        /// The default of libcurl in milliseconds.
        private static let longestConnect: Int32 = 300_000
        /// How much later, in milliseconds, libcurl gives up a connection than the request. Where it can't leave a name
        /// server, it would wait for that, and the loop with it: the request must be cancelled first.
        private static let delay: Int64 = CurlTransfer.hasQuickExit ? 0 : 1_000

        /// libcurl's name for HTTP/1.1.
        private static let version11: Int64 = 2

        private let url: URL?
        private let origins: CurlOrigins
        /// Whether others may use the connection at the same time, if the server speaks HTTP/2.
        private let isSharing: Bool
        /// The timeout of the request in milliseconds.
        private let timeout: Int32
        /// How long the connection may take, in milliseconds.
        private let connectTimeout: Int32

        /// - Parameters:
        ///   - seconds: the timeout of the request, or of the first of several callers.
        ///   - connectTimeout: a shorter limit for the connection.
        init(_ url: URL?, timeout seconds: TimeInterval, connectTimeout: Duration?, _ origins: CurlOrigins) {
            self.url = url
            self.origins = origins
            isSharing = url?.isSecure == true
            timeout = Self.milliseconds(seconds)
            let shorter = connectTimeout.map { Self.milliseconds($0 / .seconds(1)) } ?? .max
            self.connectTimeout = min(timeout, shorter, Self.longestConnect)
            if timeout > Self.patiences.lowerBound { origins.heed(timeout: timeout, of: url) }
        }

        // `max` in this order makes NaN 1.
        private static func milliseconds(_ seconds: TimeInterval) -> Int32 {
            Int32(min(TimeInterval(Int32.max), max(1, seconds * 1000)))
        }

        /// How long a connection may leave what was sent on it unconfirmed, in milliseconds. Without a limit a connection
        /// of HTTP/2 would be used for a quarter of an hour after its network was lost without a word. That of the most
        /// patient request to this origin: a later one on the connection may wait as long for a server that doesn't read.
        var patience: Int32 {
            min(max(timeout, origins.longestTimeout(of: url), Self.patiences.lowerBound), Self.patiences.upperBound)
        }

        var options: [(CurlOption, Int64)] {
            [
                // An address gets at most half of this before the next one of its family is tried. The default is far
                // longer than usual timeouts.
                (.connectTimeout, Int64(connectTimeout) + Self.delay),
                // libcurl has one line for all who wait for connections that others are opening: a host that doesn't
                // answer would keep requests to other hosts waiting. So only those wait that will surely share one.
                (.pipeWait, isSharing && origins.multiplexes(url) ? 1 : 0),
            ]
        }

        /// What a body of unknown length needs, too: HTTP/1.1. On a connection of HTTP/2 the end of such a body makes libcurl
        /// 7.88 lose parts of the responses beside it, unnoticed if these announce no length. A loop of its own carries
        /// such requests: one that knew both versions of an origin would multiplex no more.
        var optionsOfUnknownLength: [(CurlOption, Int64)] { isSharing ? [(.httpVersion, Self.version11)] : [] }

        /// Whether libcurl may look up the host of a transfer now, or that of its proxy. It knows addresses and this
        /// machine by itself.
        func mayLookUp(for transfer: CurlTransfer, mayHaveProxy: Bool) -> Bool {
            !mayHaveProxy && hasKnownHost || origins.mayLookUp(transfer)
        }

        private var hasKnownHost: Bool {
            guard let host = url?.host(percentEncoded: false)?.lowercased() else { return false }
            if host == "localhost" || host.hasSuffix(".localhost") { return true }
            return host.contains(":") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        }

        /// Takes from a head whether its origin multiplexes.
        func heed(_ head: TransferHead) {
            if isSharing { origins.heed(head, of: url) }
        }
    }
#endif
