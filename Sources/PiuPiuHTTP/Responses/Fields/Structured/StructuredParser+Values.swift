import Foundation

/// Bare items (RFC 9651, sections 4.2.3.1 to 4.2.10).
extension StructuredParser {
    mutating func value() throws(StructuredFieldError) -> StructuredValue {
        switch next {
        case UInt8(ascii: "-"): return try number()
        case let digit? where digit.isDigit: return try number()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: ":"): return .binary(try binary())
        case UInt8(ascii: "?"): return .boolean(try boolean())
        case UInt8(ascii: "@"): return .date(try date())
        case UInt8(ascii: "%"): return .displayString(try displayString())
        case let first? where first.beginsStructuredToken:
            return .token(String(decoding: take(while: \.isInStructuredToken), as: UTF8.self))
        default: throw error(.value)
        }
    }

    private mutating func number() throws(StructuredFieldError) -> StructuredValue {
        let sign: Int64 = take("-") ? -1 : 1
        let integer = take(while: \.isDigit)
        guard !integer.isEmpty, integer.count <= 15 else { throw error(.integer) }
        guard take(".") else { return .integer(sign * Self.value(of: integer)) }
        let fraction = take(while: \.isDigit)
        guard integer.count <= 12, 1...3 ~= fraction.count else { throw error(.decimal) }
        var digits = Decimal(sign * Self.value(of: integer + fraction)), decimal = Decimal()
        // Exact: a product with a power of ten keeps all digits.
        _ = NSDecimalMultiplyByPowerOf10(&decimal, &digits, Int16(-fraction.count), .plain)
        return .decimal(decimal)
    }

    /// The value of at most 15 digits.
    private static func value(of digits: ArraySlice<UInt8>) -> Int64 {
        digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private mutating func string() throws(StructuredFieldError) -> String {
        var text: [UInt8] = []
        _ = take("\"")
        while let byte = next, byte.isPrintableASCII {
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else { break }
            index += 1
            text.append(escaped)
        }
        throw error(.string)
    }

    private mutating func binary() throws(StructuredFieldError) -> Data {
        _ = take(":")
        let encoded = take { $0 != UInt8(ascii: ":") }
        // White space isn't allowed here; padding may be missing, as section 4.2.7 advises.
        guard take(":"), !encoded.contains(where: \.isASCIISpace),
            let content = ForgivingBase64.decoded(Array(encoded))
        else { throw error(.binary) }
        return Data(content)
    }

    private mutating func boolean() throws(StructuredFieldError) -> Bool {
        _ = take("?")
        if take("1") { return true }
        guard take("0") else { throw error(.boolean) }
        return false
    }

    private mutating func date() throws(StructuredFieldError) -> Date {
        _ = take("@")
        guard case .integer(let seconds) = try number() else { throw error(.date) }
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    private mutating func displayString() throws(StructuredFieldError) -> String {
        var bytes: [UInt8] = []
        _ = take("%")
        guard take("\"") else { throw error(.displayString) }
        while let byte = next, byte.isPrintableASCII {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: bytes, as: UTF8.self) else { throw error(.displayString) }
                return text
            case UInt8(ascii: "%"): bytes.append(try hexadecimalDigit() << 4 | hexadecimalDigit())
            default: bytes.append(byte)
            }
        }
        throw error(.displayString)
    }

    /// A hexadecimal digit, with letters in lower case only.
    private mutating func hexadecimalDigit() throws(StructuredFieldError) -> UInt8 {
        switch next {
        case let digit? where digit.isDigit:
            index += 1
            return digit - 0x30
        case let digit? where (0x61...0x66).contains(digit):
            index += 1
            return digit - 0x61 + 10
        default: throw error(.displayString)
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
