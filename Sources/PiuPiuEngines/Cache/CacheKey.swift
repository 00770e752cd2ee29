package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The key that a request and a stored response must share before anything else is checked (rule KEY).
package struct CacheKey: Hashable, Sendable {
    /// GET or HEAD.
    package let method: String
    /// The URI without its fragment and without a user, with its case-insensitive parts in lower case.
    package let uri: String
    /// The partition: responses of one are never visible in another.
    package let partition: String

    package init(method: String, uri: String, partition: String) {
        self.method = method
        self.uri = uri
        self.partition = partition
    }

    /// The key of the same URI with another method.
    package func of(method: String) -> CacheKey { CacheKey(method: method, uri: uri, partition: partition) }

    /// A text that is unique to this key, for a hash.
    package var text: String { "\(method)\n\(partition)\n\(uri)" }

    /// The URI of a URL as a key (RFC 9110, section 4.2.3); `nil` for a URL without a host.
    package static func uri(of url: URL) -> String? { parts(of: url)?.uri }

    /// The URI of a URL as a key, and the user and the password that the URL has.
    static func parts(of url: URL) -> (uri: String, user: String?)? {
        let text = url.absoluteString
        return isNormal(text) ? (text, nil) : normalized(text)
    }

    /// Whether the text of a URL is in normal form already, as most are. Fast, because every look-up needs it.
    private static func isNormal(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        for byte in "http".utf8 where rest.popFirst() != byte { return false }
        if rest.first == UInt8(ascii: "s") { rest.removeFirst() }
        for byte in "://".utf8 where rest.popFirst() != byte { return false }
        var isEmpty = true, port: Int?
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where port != nil:
                port = port.map { min($0 * 10 + Int(byte - UInt8(ascii: "0")), 100_000) }
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                isEmpty = false
            case UInt8(ascii: ":") where port == nil: port = 0
            case UInt8(ascii: "/"):
                return !isEmpty && ![0, 80, 443].contains(port) && !rest.contains(UInt8(ascii: "#"))
            default: return false
            }
        }
        return false
    }

    private static func normalized(_ text: String) -> (uri: String, user: String?)? {
        var end = text.endIndex
        if let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) { end = fragment }
        guard let colon = text[..<end].firstRange(of: "://") else { return nil }
        let rest = text[colon.upperBound..<end]
        let pathStart = rest.utf8.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?")].contains($0) } ?? end
        let scheme = text[..<colon.lowerBound].lowercased()
        let authority = rest[..<pathStart]
        let hostStart = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map(authority.utf8.index(after:))
        var host = authority[(hostStart ?? authority.startIndex)...].lowercased()
        let defaultPort = scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(defaultPort) { host.removeLast(defaultPort.utf8.count) }
        if host.hasSuffix(":") { host.removeLast() }
        guard !host.isEmpty else { return nil }
        let path = rest[pathStart...], user = hostStart.map { String(authority[..<$0]) }
        return ("\(scheme)://\(host)\(path.hasPrefix("/") ? "" : "/")\(path)", user)
    }
}
