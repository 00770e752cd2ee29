/// Splits the bytes of a text into lines as they arrive.
///
/// Line ends and empty lines are omitted. Invalid UTF-8 becomes U+FFFD. The chunking of the bytes makes no difference,
/// and the work is linear in their number.
package struct LineParser: Sendable {
    /// What ends a line.
    package enum Ends: Sendable {
        /// LF, VT, FF, CR, CRLF, U+0085, U+2028 and U+2029, as in Foundation's `AsyncLineSequence` (`bytes.lines`).
        case all
        /// LF and CRLF. By RFC 8259 a text in JSON may have U+0085, U+2028 and U+2029, and a lone CR is white space.
        case lineFeeds
    }

    /// The maximum number of bytes of a line, without its end.
    private let limit: Int
    private let ends: Ends
    /// The unfinished line, and perhaps the first bytes of its end.
    private var line: [UInt8] = []
    private var hasFailed = false

    /// Makes a parser at the start of a text.
    package init(limit: Int = StreamLimit.defaultBytes, ends: Ends = .all) {
        self.limit = max(0, limit)
        self.ends = ends
    }

    /// Takes the next bytes and appends the lines that they finish.
    ///
    /// Throws ``StreamLimitError/lineTooLong(limit:)`` when a line exceeds the limit, and with every later call; the
    /// lines before it have been appended.
    package mutating func append(
        _ bytes: some Sequence<UInt8>, to lines: inout [String]
    ) throws(StreamLimitError) {
        if hasFailed { throw .lineTooLong(limit: limit) }
        for byte in bytes {
            switch byte {
            case 0x0A where ends == .lineFeeds:
                try finishLine(endingWith: possibleLineEnd, to: &lines)
            case 0x0A...0x0D where ends == .all:
                try finishLine(endingWith: 0, to: &lines)
            // U+0085, U+2028 and U+2029. In UTF-8, broken or not, these bytes are never a part of something else.
            case 0x85 where ends == .all && line.last == 0xC2:
                try finishLine(endingWith: 1, to: &lines)
            case 0xA8...0xA9 where ends == .all && line.suffix(2).elementsEqual([0xE2, 0x80]):
                try finishLine(endingWith: 2, to: &lines)
            default:
                line.append(byte)
                if line.count > limit { try checkLength(endingWith: possibleLineEnd) }
            }
        }
    }

    /// Ends the text and returns what comes after the last line end, if anything.
    ///
    /// Throws ``StreamLimitError/lineTooLong(limit:)`` when a line has exceeded the limit.
    package mutating func finish() throws(StreamLimitError) -> String? {
        if hasFailed { throw .lineTooLong(limit: limit) }
        try checkLength(endingWith: 0)
        defer { line = [] }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Appends the line without the bytes of its end that it already has, unless it is empty.
    private mutating func finishLine(endingWith end: Int, to lines: inout [String]) throws(StreamLimitError) {
        try checkLength(endingWith: end)
        line.removeLast(end)
        if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
        line.removeAll(keepingCapacity: true)
    }

    private mutating func checkLength(endingWith end: Int) throws(StreamLimitError) {
        guard line.count - end > limit else { return }
        hasFailed = true
        line = []
        throw .lineTooLong(limit: limit)
    }

    /// How many of the last bytes would belong to a line end if the next bytes complete one.
    private var possibleLineEnd: Int {
        guard ends == .all else { return line.last == 0x0D ? 1 : 0 }
        if line.last == 0xC2 || line.last == 0xE2 { return 1 }
        return line.suffix(2).elementsEqual([0xE2, 0x80]) ? 2 : 0
    }
}
