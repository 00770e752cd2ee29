/// Distinguishes the responses of one key (RFC 9111, section 4.1).
package struct CacheVariant: Hashable, Sendable {
    /// The header field names in the response's `Vary`, in lower case and sorted.
    package let names: [String]
    /// A hash of the request's values of these fields, which may be secrets.
    package let digest: String

    package init(names: [String], digest: String) {
        self.names = names
        self.digest = digest
    }

    /// The variant of a response to a request with these header fields.
    package init(_ names: [String], of headers: [String: String]) {
        self.names = names
        guard !names.isEmpty else {
            digest = ""
            return
        }
        let values = names.map { "\($0):\(VaryValue.normalized(headers[$0], name: $0) ?? "\u{0}")\n" }
        digest = SecureHash.hex(values.joined().utf8)
    }
}
