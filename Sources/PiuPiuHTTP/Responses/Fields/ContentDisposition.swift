import Foundation

/// The file name of a `Content-Disposition` (RFC 6266).
package struct ContentDisposition: Sendable {
    /// The value of `filename*`, decoded, if it can be decoded (RFC 8187).
    package let extendedFileName: String?

    /// The value of `filename`, also if it is UTF-8 that was read as Latin-1.
    package let fileName: String?

    /// Parses the value of the header field.
    package init(_ text: String) {
        // The parameters are written like those of a media type.
        let parameters = MediaType(Array("disposition/\(text.drop { $0 == " " || $0 == "\t" })".utf8)[...])
        extendedFileName = parameters?.parameter("filename*").flatMap(Self.decoded)
        fileName = parameters?.parameter("filename").map(Self.readAsUTF8)
    }

    /// Many servers send UTF-8 as it is, and Foundation on Apple platforms reads the bytes of a header as Latin-1.
    ///
    /// - Returns: the text of the bytes; the value itself if they are none in UTF-8, or it was read in another way.
    private static func readAsUTF8(_ value: String) -> String {
        let bytes = value.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        guard bytes.contains(where: { $0 >= 0x80 }), bytes.count == value.unicodeScalars.count else { return value }
        return String(validating: bytes, as: UTF8.self) ?? value
    }

    /// Decodes `charset'language'text`.
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = bytes(of: parts[2].utf8) else { return nil }
        return switch parts[0].lowercased() {
        case "utf-8": String(data: Data(bytes), encoding: .utf8)
        case "iso-8859-1": String(data: Data(bytes), encoding: .isoLatin1)
        default: nil
        }
    }

    /// The bytes of a text with percent escapes; `nil` if one is malformed.
    private static func bytes(of text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = [], rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
