package import Foundation

/// A parsed `data:` URL (RFC 2397): `data:[<media type>][;base64],<data>`.
package struct DataURL: Sendable, Equatable {
    /// The media type, without parameters.
    package let mimeType: String
    /// The character set, if the URL names one, or names no media type at all.
    package let charset: String?
    /// The decoded content.
    package let content: Data

    /// Parses a URL's text; `nil` if it is malformed.
    package init?(_ text: String) {
        let text = text.prefix { $0 != "#" }
        guard text.prefix(5).lowercased() == "data:", let comma = text.firstIndex(of: ",") else { return nil }
        let meta = text[text.index(text.startIndex, offsetBy: 5)..<comma]
        guard let payload = Self.percentDecoded(text[text.index(after: comma)...].utf8) else { return nil }
        var parameters = meta.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if parameters.count > 1, parameters.last?.lowercased() == "base64" {
            parameters.removeLast()
            guard let decoded = Self.base64Decoded(payload) else { return nil }
            content = decoded
        } else {
            content = payload
        }
        let type = parameters.first ?? ""
        guard type.isEmpty || type.split(separator: "/").count == 2 else { return nil }
        mimeType = type.isEmpty ? "text/plain" : type.lowercased()
        let named = parameters.dropFirst().first { $0.lowercased().hasPrefix("charset=") }
        charset = named.map { String($0.dropFirst("charset=".count)) } ?? (type.isEmpty ? "US-ASCII" : nil)
    }

    /// The bytes behind a percent-encoded text, which need not be UTF-8; `nil` after a `%` without two hex digits.
    private static func percentDecoded(_ text: Substring.UTF8View) -> Data? {
        var bytes = Data(capacity: text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        Character(UnicodeScalar(digit)).hexDigitValue.map(UInt8.init)
    }

    /// The usual leniency: white space is skipped and the padding may be missing, as browsers have it.
    private static func base64Decoded(_ encoded: Data) -> Data? {
        var digits = encoded.filter { ![0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
        if digits.count % 4 > 1, digits.last != UInt8(ascii: "=") {
            digits.append(contentsOf: Array(repeating: UInt8(ascii: "="), count: 4 - digits.count % 4))
        }
        return Data(base64Encoded: digits)
    }
}
