/// Percent-encoding (RFC 3986, section 2.1), byte by byte, so that no text can trap.
package enum PercentEncoding {
    /// The bytes as text; every byte for which `isKept` is false becomes `%` and two digits.
    package static func encoded(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        for byte in bytes {
            if isKept(byte) {
                result.append(byte)
            } else {
                result += [percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The decoded bytes; a `%` without two digits after it stays.
    package static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == percent, let high = rest.first.flatMap(value(ofDigit:)),
                let low = rest.dropFirst().first.flatMap(value(ofDigit:))
            {
                result.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Whether the text may be percent-encoded: two digits follow each `%`.
    static func isPossible(in text: String) -> Bool {
        text.utf8.split(separator: percent, omittingEmptySubsequences: false).dropFirst().allSatisfy(beginsWithDigits)
    }

    /// A path, a query or a fragment in which all is encoded that they can't have (RFC 3986, sections 3.3 to 3.5).
    /// Codes that are there stay; a `%` without two digits after it is encoded.
    static func completed(_ text: Substring) -> String {
        text.utf8.split(separator: percent, omittingEmptySubsequences: false).enumerated().map { index, piece in
            let mark = index == 0 ? "" : beginsWithDigits(piece) ? "%" : "%25"
            return mark + encoded(piece) { isUnreserved($0) || "!$&'()*+,;=:@/?".utf8.contains($0) }
        }.joined()
    }

    /// Letters, digits and `-._~`, which mean the same everywhere (RFC 3986, section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "-._~".utf8.contains(byte)
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static let percent = UInt8(ascii: "%")
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Whether a text that follows a `%` makes a code with it.
    private static func beginsWithDigits(_ text: Substring.UTF8View) -> Bool {
        text.prefix(2).compactMap(value(ofDigit:)).count == 2
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        Character(UnicodeScalar(digit)).hexDigitValue.map(UInt8.init)
    }
}
