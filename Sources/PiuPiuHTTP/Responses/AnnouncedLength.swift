/// The length of a body that a server has announced (RFC 9110, section 8.6).
package enum AnnouncedLength: Sendable, Equatable {
    case none
    case bytes(Int64)
    /// The length of a coded body; the decoded body differs.
    case coded(Int64)
    /// No number, or several different ones.
    case invalid

    /// - Parameters:
    ///   - values: the values of `Content-Length`.
    ///   - isCoded: whether the body has a content coding.
    ///   - isChunked: whether it has a transfer coding, which overrides the length (RFC 9112, section 6.3).
    package init(_ values: [String], isCoded: Bool, isChunked: Bool) {
        guard !isChunked, !values.isEmpty else {
            self = .none
            return
        }
        if values.count == 1, let length = Self.plainNumber(values[0].utf8) {
            self = isCoded ? .coded(length) : .bytes(length)
            return
        }
        var length: Int64?
        for text in values.lazy.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            // Equal values count as one (RFC 9110, section 8.6).
            guard let number = Self.number(text.utf8), length == nil || length == number else {
                self = .invalid
                return
            }
            length = number
        }
        guard let length else {
            self = .none
            return
        }
        self = isCoded ? .coded(length) : .bytes(length)
    }

    /// As nearly always: a few decimal digits, and nothing else.
    private static func plainNumber(_ text: String.UTF8View) -> Int64? {
        guard (1...18).contains(text.count) else { return nil }
        var number: Int64 = 0
        for digit in text {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }

    /// Decimal digits, with white space around them.
    private static func number(_ text: Substring.UTF8View) -> Int64? {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var rest = text.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        guard !rest.isEmpty else { return nil }
        var number: Int64 = 0
        for digit in rest {
            guard (0x30...0x39).contains(digit) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeNow) = tens.addingReportingOverflow(Int64(digit - 0x30))
            guard !isTooLarge, !isTooLargeNow else { return nil }
            number = sum
        }
        return number
    }

    package var value: Int64? {
        switch self {
        case .bytes(let length), .coded(let length): length
        case .none, .invalid: nil
        }
    }
}
