package import Foundation

/// A value of DER (X.690), as far as certificates need it.
package struct DERValue {
    static let sequence: UInt8 = 0x30
    private static let version: UInt8 = 0xA0

    /// The kind of the value.
    let tag: UInt8

    /// The whole value, with its tag and length.
    let encoded: Data

    /// The content.
    let content: Data

    /// Parses bytes that are exactly one value; `nil` if they aren't.
    init?(_ data: Data) {
        var rest = data
        guard let value = DERValue(first: &rest), rest.isEmpty else { return nil }
        self = value
    }

    /// Removes the first value from `rest`.
    private init?(first rest: inout Data) {
        guard rest.count >= 2 else { return nil }
        let start = rest.startIndex
        let short = rest[start + 1]
        var header = 2
        var length = Int(short)
        if short >= 0x80 {
            let count = Int(short & 0x7F)
            guard (1...4).contains(count), rest.count >= 2 + count else { return nil }
            header += count
            length = Int(clamping: rest[(start + 2)..<(start + header)].reduce(0 as Int64) { $0 << 8 | Int64($1) })
        }
        guard rest.count - header >= length else { return nil }
        tag = rest[start]
        encoded = rest.prefix(header + length)
        content = encoded.dropFirst(header)
        rest = rest.dropFirst(header + length)
    }

    /// The values in a sequence; empty if it isn't one.
    var elements: [DERValue] {
        var elements: [DERValue] = []
        var rest = content
        while !rest.isEmpty {
            guard let element = DERValue(first: &rest) else { return [] }
            elements.append(element)
        }
        return elements
    }

    /// The SubjectPublicKeyInfo of a certificate (RFC 5280, section 4.1); `nil` if it is none.
    package static func publicKeyInfo(ofCertificate certificate: Data) -> Data? {
        guard let outer = DERValue(certificate), outer.tag == sequence, outer.elements.count == 3,
            let inner = outer.elements.first, inner.tag == sequence
        else { return nil }
        // Serial number, algorithm, issuer, validity, subject, key; the version is before them, unless it is 1.
        let fields = inner.elements.drop { $0.tag == version }
        guard let key = fields.dropFirst(5).first, key.tag == sequence else { return nil }
        return Data(key.encoded)
    }
}
