/// Base64, decoded as in browsers (WHATWG Infra, "forgiving-base64 decode").
package enum ForgivingBase64 {
    /// The bytes; `nil` if it isn't base64. White space and surplus bits are ignored. Padding may be missing, but not
    /// wrong.
    package static func decoded(_ encoded: [UInt8]) -> [UInt8]? {
        var digits = encoded.filter { !$0.isASCIISpace }
        if digits.count % 4 == 0 {
            for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        }
        guard digits.count % 4 != 1 else { return nil }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(digits.count / 4 * 3 + 2)
        var (bits, count) = (UInt32(0), 0)
        for digit in digits {
            guard let value = value(digit) else { return nil }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return decoded
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

extension UInt8 {
    /// White space in HTML and URLs.
    @inlinable
    package var isASCIISpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }

    /// The letter in lower case.
    @inlinable
    package var loweredASCII: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
}

extension ArraySlice<UInt8> {
    /// Without white space at both ends.
    @inlinable
    package var trimmed: Self { drop(while: \.isASCIISpace).trimmedAtEnd(where: \.isASCIISpace) }

    /// Without the bytes at the end for which `isDropped` is true.
    @inlinable
    package func trimmedAtEnd(where isDropped: (UInt8) -> Bool) -> Self {
        prefix(upTo: lastIndex { !isDropped($0) }.map { $0 + 1 } ?? startIndex)
    }
}
