#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation

    extension CurlProxy {
        /// Whether libcurl knows networks of IPv4: from 7.86 on. Of IPv6 7.88 doesn't know any.
        private static let knowsNetworks = piu_version() >= 0x075600

        /// The hosts of an `ExceptionsList` as libcurl reads them.
        ///
        /// It ignores an entry in any other form, and would send the requests of those hosts to the proxy.
        static func exceptions(_ list: Any?) throws(UnsupportedSettingError) -> String {
            guard let list else { return "" }
            guard let texts = list as? [String] else { throw .proxyEntry("ExceptionsList") }
            let entries = texts.map { $0.trimmingCharacters(in: .whitespaces) }
            // Beside others it would match nothing.
            if entries.contains("*") { return "*" }
            var exceptions: [String] = []
            for entry in entries where !entry.isEmpty {
                guard let exception = exception(entry) else { throw .proxyEntry("ExceptionsList") }
                exceptions.append(exception)
            }
            return exceptions.joined(separator: ",")
        }

        private static func exception(_ entry: String) -> String? {
            if entry.contains("/") { return network(entry) }
            if entry.contains(":") { return longAddress(entry) }
            // In libcurl "*.example.com" is ".example.com".
            let exception = entry.hasPrefix("*.") ? String(entry.dropFirst()) : entry
            let name = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
            let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isOfName) }) else { return nil }
            // Numbers are an address, also in forms such as `127.1`, which libcurl doesn't compare.
            var address = in_addr()
            return inet_aton(name, &address) == 0 || isAddress(exception) ? exception : nil
        }

        private static func isAddress(_ text: String) -> Bool {
            var address = in_addr()
            return inet_pton(AF_INET, text, &address) == 1
        }

        /// A network of IPv4 with all four numbers: "169.254.0.0/16" of "169.254/16".
        private static func network(_ entry: String) -> String? {
            let parts = entry.split(separator: "/", omittingEmptySubsequences: false)
            // In libcurl 0 bits are as many as an address has.
            guard knowsNetworks, parts.count == 2, let bits = Int(parts[1]), (1...32).contains(bits) else { return nil }
            let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
            let missing = Array(repeating: "0"[...], count: max(0, 4 - numbers.count))
            let address = (numbers + missing).joined(separator: ".")
            return isAddress(address) ? "\(address)/\(bits)" : nil
        }

        /// An address of IPv6, with or without brackets, as libcurl writes it: it compares the texts.
        private static func longAddress(_ entry: String) -> String? {
            let isInBrackets = entry.hasPrefix("[") && entry.hasSuffix("]")
            let digits = isInBrackets ? String(entry.dropFirst().dropLast()) : entry
            var address = in6_addr(), text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard inet_pton(AF_INET6, digits, &address) == 1,
                inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil
            else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        }
    }

    extension UInt8 {
        /// Whether it may be part of a label of a host's name.
        var isOfName: Bool {
            switch self {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-_".utf8.contains(self)
            }
        }
    }
#endif
