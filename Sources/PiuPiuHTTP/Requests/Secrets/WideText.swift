import Foundation

/// A text in UTF-16 or UTF-32, in which the secrets of JSON aren't found byte by byte.
struct WideText {
    let text: String

    /// How many bytes a unit has.
    private let width: Int
    private let isBigEndian: Bool

    /// What is left of a unit that was cut.
    private let rest: Data

    /// Reads bytes; `nil` unless they begin with a byte order mark or an ASCII character, as JSON does, in such an
    /// encoding.
    init?(_ body: Data) {
        let bytes = Array(body)
        guard bytes.count >= 4 else { return nil }
        let width: Int, isBigEndian: Bool
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0, 0, 0, _), (0, 0, 0xFE, 0xFF): (width, isBigEndian) = (4, true)
        case (_, 0, 0, 0), (0xFF, 0xFE, 0, 0): (width, isBigEndian) = (4, false)
        case (0, _, _, _), (0xFE, 0xFF, _, _): (width, isBigEndian) = (2, true)
        case (_, 0, _, _), (0xFF, 0xFE, _, _): (width, isBigEndian) = (2, false)
        default: return nil
        }
        let units = stride(from: 0, through: bytes.count - width, by: width).map { start -> UInt32 in
            let unit = bytes[start..<start + width]
            return isBigEndian ? Self.number(unit) : Self.number(unit.reversed())
        }
        (self.width, self.isBigEndian) = (width, isBigEndian)
        text =
            width == 2
            ? String(decoding: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
            : String(decoding: units, as: UTF32.self)
        rest = Data(bytes.suffix(bytes.count % width))
    }

    /// Another text in the same encoding, with the same rest.
    func encoded(_ text: String) -> Data {
        let units = width == 2 ? text.utf16.map { UInt32($0) } : text.unicodeScalars.map(\.value)
        var data = Data(capacity: units.count * width + rest.count)
        for unit in units {
            let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
            data.append(contentsOf: isBigEndian ? bytes.reversed() : bytes)
        }
        return data + rest
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
