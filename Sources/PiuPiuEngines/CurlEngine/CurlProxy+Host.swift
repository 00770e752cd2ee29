#if canImport(CPiuPiuCurl)
    import Foundation

    extension CurlProxy {
        /// The longest name of a network interface.
        private static let longestZone = 15

        /// The host of a proxy as it stands in a URL; `nil` for what libcurl can't parse there: it would report that as
        /// a proxy it doesn't find, so that the request would be repeated.
        static func host(_ text: String) -> String? {
            let isInBrackets = text.hasPrefix("[") && text.hasSuffix("]")
            if isInBrackets || text.contains(":") {
                let address = isInBrackets ? String(text.dropFirst().dropLast()) : text
                return isLongAddress(address) ? "[\(address)]" : nil
            }
            var labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
            // An international name isn't of ASCII.
            let isName = labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isOfName || $0 >= 0x80 } }
            return isName ? text : nil
        }

        /// Whether it is an address of IPv6, perhaps with a zone, as in `fe80::1%eth0`.
        private static func isLongAddress(_ text: String) -> Bool {
            let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(parts[0]), &address) == 1 else { return false }
            guard parts.count == 2 else { return true }
            let zone = parts[1].utf8
            return (1...longestZone).contains(zone.count) && zone.allSatisfy { $0.isOfName || $0 == UInt8(ascii: ".") }
        }
    }
#endif
