import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The pins of a ``TransferSecurity``, by host.
struct PinnedHosts: Sendable {
    typealias Pins = [TransferSecurity.PublicKeyPin]

    private let ofOthers: Pins
    private var ofHosts: [Host: Pins] = [:]

    /// A key that is no host.
    private(set) var problem: UnsupportedSettingError?

    init(_ security: TransferSecurity) {
        ofOthers = security.pins
        for (key, pins) in security.pinsByHost {
            if let host = Host(key) { ofHosts[host, default: []] += pins } else { problem = .pinnedHost(key) }
        }
    }

    /// The pins that count for a host.
    func pins(of host: String) -> Pins {
        guard !ofHosts.isEmpty, let host = Host(host) else { return ofOthers }
        return ofHosts[host] ?? ofOthers
    }

    /// A host in the form for comparison.
    private enum Host: Hashable {
        /// In lower case, in ASCII, without a dot at the end.
        case name(String)
        /// The bytes of an IP address.
        case address([UInt8])

        init?(_ text: String) {
            let isInBrackets = text.hasPrefix("[") && text.hasSuffix("]")
            if isInBrackets || text.contains(":") {
                // Without the zone, the network that it is in.
                let digits = (isInBrackets ? text.dropFirst().dropLast() : text[...]).prefix { $0 != "%" }
                var address = in6_addr()
                guard inet_pton(AF_INET6, String(digits), &address) == 1 else { return nil }
                // Sound: it copies the bytes of a local value.
                self = .address(withUnsafeBytes(of: address) { Array($0) })
                return
            }
            var name = text.lowercased()
            guard name.utf8.allSatisfy(\.isOfHost) else { return nil }
            if !name.utf8.allSatisfy({ $0 < 0x80 }) {
                // Foundation writes an international name in ASCII.
                name = URL(string: "https://\(name)/")?.host(percentEncoded: false)?.lowercased() ?? name
            }
            if name.hasSuffix(".") { name.removeLast() }
            guard !name.isEmpty else { return nil }
            // Numbers in a form that engines accept, such as `127.1`, are an address, too.
            var address = in_addr()
            // Sound: it copies the bytes of a local value.
            self = inet_aton(name, &address) == 1 ? .address(withUnsafeBytes(of: address) { Array($0) }) : .name(name)
        }
    }
}

extension UInt8 {
    /// Whether it may be part of a host's name, in UTF-8.
    fileprivate var isOfHost: Bool {
        switch self {
        case 0x30...0x39, 0x61...0x7A, 0x80...: true
        default: "-._".utf8.contains(self)
        }
    }
}
