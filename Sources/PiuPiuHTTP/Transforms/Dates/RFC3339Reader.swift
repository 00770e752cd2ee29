/// Reads the parts of a date one after the other.
struct RFC3339Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads a number of exactly this many digits.
    mutating func number(of digits: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads a character if it is the next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads the decimals after a point or a comma. Without either, the fraction is zero.
    mutating func fraction() -> Double? {
        guard skip(".") || skip(",") else { return 0 }
        guard var decimals = digit() else { return nil }
        var scale: Int64 = 10
        while let digit = digit() {
            // Present-day dates have a precision of seven decimals; more than fifteen fit no `Double`.
            guard scale < 1_000_000_000_000_000 else { continue }
            decimals = decimals * 10 + digit
            scale *= 10
        }
        return Double(decimals) / Double(scale)
    }

    /// Reads the offset from UTC in seconds.
    mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = number(of: 2), hours < 24 else { return nil }
        if isAtEnd { return isAhead ? hours * 3600 : -hours * 3600 }
        _ = skip(":")
        guard let minutes = number(of: 2), minutes < 60 else { return nil }
        return (isAhead ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    private mutating func digit() -> Int64? {
        guard let byte = rest.first, (0x30...0x39).contains(byte) else { return nil }
        rest.removeFirst()
        return Int64(byte - 0x30)
    }
}
