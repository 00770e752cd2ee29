package import Foundation

/// A `data:` URL, parsed as in browsers (WHATWG Fetch, "data: URL processor"): `data:[<media type>][;base64],<data>`.
package struct DataURL: Sendable, Equatable {
    /// The media type; `text/plain` in the character set US-ASCII if it is missing or malformed.
    package let mediaType: MediaType
    /// The decoded content.
    package let content: Data

    /// The media type, without parameters.
    package var mimeType: String { mediaType.essence }

    /// The character set, if the URL has one, or has no media type at all.
    package var charset: String? { mediaType.parameter("charset") }

    /// Parses a URL; `nil` if it is malformed.
    ///
    /// Foundation encodes some characters that browsers don't; in the media type they are decoded again.
    package init?(_ url: URL) {
        let text = url.absoluteString
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        var meta = String(text[..<comma])
        for (encoded, character) in Self.encodedByFoundation { meta = meta.replacing(encoded, with: character) }
        self.init(meta + text[comma...])
    }

    private static let encodedByFoundation = [
        ("%20", " "), ("%22", "\""), ("%3C", "<"), ("%3E", ">"), ("%5B", "["), ("%5C", "\\"), ("%5D", "]"),
        ("%5E", "^"), ("%60", "`"), ("%7B", "{"), ("%7C", "|"), ("%7D", "}"),
    ]

    /// Parses a URL's text; `nil` if it is malformed.
    package init?(_ text: String) {
        let bytes = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard bytes.prefix(5).map(\.loweredASCII) == Array("data:".utf8),
            let comma = bytes.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        var meta = Self.encoded(bytes[bytes.index(bytes.startIndex, offsetBy: 5)..<comma]).trimmed
        guard Self.isOpaque(meta) else { return nil }
        let payload = PercentEncoding.decoded(bytes[bytes.index(after: comma)...])
        if let shorter = Self.withoutBase64(meta) {
            guard let decoded = ForgivingBase64.decoded(payload) else { return nil }
            (meta, content) = (shorter, Data(decoded))
        } else {
            content = Data(payload)
        }
        if meta.first == UInt8(ascii: ";") { meta = "text/plain".utf8 + meta }
        mediaType = MediaType(meta) ?? .plainASCII
    }

    /// The text as a URL parser leaves a path: tabs and line breaks are dropped, and all but printable ASCII is
    /// encoded.
    private static func encoded(_ text: some Sequence<UInt8>) -> ArraySlice<UInt8> {
        text.reduce(into: []) { encoded, byte in
            switch byte {
            case 0x09, 0x0A, 0x0D: break
            case 0x20...0x7E: encoded.append(byte)
            default: encoded += "%\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
            }
        }
    }

    /// The media type before `;base64`, with spaces allowed in between; `nil` if it doesn't end with that.
    private static func withoutBase64(_ meta: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard meta.suffix(6).map(\.loweredASCII) == Array("base64".utf8) else { return nil }
        let rest = meta.dropLast(6).trimmedAtEnd { $0 == 0x20 }
        return rest.last == UInt8(ascii: ";") ? rest.dropLast() : nil
    }

    /// Whether it has no invalid port: after `//` it has a host, and a port that is no number makes the URL invalid.
    private static func isOpaque(_ meta: ArraySlice<UInt8>) -> Bool {
        guard meta.starts(with: "//".utf8) else { return true }
        let authority = meta.dropFirst(2).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? []
        guard let colon = host.lastIndex(of: UInt8(ascii: ":")), !host[colon...].contains(UInt8(ascii: "]")) else {
            return true
        }
        return host[colon...].dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
