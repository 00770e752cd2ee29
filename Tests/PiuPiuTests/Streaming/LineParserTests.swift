import Foundation
import PiuPiu
import Testing

@Suite("Splitting of bytes into lines", .timeLimit(.minutes(10)))
struct LineParserTests {
    private func lines(
        _ chunks: [[UInt8]], limit: Int = StreamLimit.defaultBytes, ends: LineParser.Ends = .all
    ) throws -> [String] {
        var parser = LineParser(limit: limit, ends: ends)
        var lines: [String] = []
        for chunk in chunks { try parser.append(chunk, to: &lines) }
        if let rest = try parser.finish() { lines.append(rest) }
        return lines
    }

    @Test(
        "Lines end as in Foundation's sequence of lines, and empty ones are skipped",
        arguments: [
            ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\rb\r\nc", ["a", "b", "c"]), ("a\r\n\r\n\nb", ["a", "b"]),
            ("a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f", ["a", "b", "c", "d", "e", "f"]), ("\n\r\u{85}\u{2028}", []),
            ("", []), (" ", [" "]), ("a\tb\u{1C}c\u{1F}", ["a\tb\u{1C}c\u{1F}"]), ("\u{FEFF}a\n", ["\u{FEFF}a"]),
            ("Â…\u{84}\u{86} \u{2027}\u{202A}⨀", ["Â…\u{84}\u{86} \u{2027}\u{202A}⨀"]), ("日本\nü\n", ["日本", "ü"]),
        ])
    func ends(_ text: String, _ expected: [String]) throws {
        #expect(try lines([Array(text.utf8)]) == expected)
        #expect(try lines(text.utf8.map { [$0] }) == expected)
        #expect(try lines(text.utf8.map { [$0] } + [[]]) == expected)
    }

    @Test(
        "Lines of JSON end with LF or CRLF, and with nothing else",
        arguments: [
            ("1\n2\n", ["1", "2"]), ("1\r\n2\r\n", ["1", "2"]), ("1\n2", ["1", "2"]), ("\n\r\n\n1\n\n", ["1"]),
            ("\"a\u{2028}b\u{2029}c\u{85}d\"\n2", ["\"a\u{2028}b\u{2029}c\u{85}d\"", "2"]), ("", []), (" \n", [" "]),
            ("a\u{0B}b\u{0C}c\rd\n", ["a\u{0B}b\u{0C}c\rd"]), ("1\r", ["1\r"]), ("1\r\r\n2", ["1\r", "2"]),
        ])
    func endsInJSON(_ text: String, _ expected: [String]) throws {
        // As bytes: CR and LF together are one character.
        let expected = expected.map { Array($0.utf8) }
        #expect(try lines([Array(text.utf8)], ends: .lineFeeds).map { Array($0.utf8) } == expected)
        #expect(try lines(text.utf8.map { [$0] }, ends: .lineFeeds).map { Array($0.utf8) } == expected)
    }

    @Test("A line of JSON may be as long as the limit, not counting its end", arguments: ["\n", "\r\n", ""])
    func limitInJSON(_ end: String) throws {
        for text in ["12345", "12\u{2028}"] {
            #expect(try lines(Array("\(text)\(end)".utf8).map { [$0] }, limit: 5, ends: .lineFeeds) == [text])
        }
        #expect(throws: StreamLimitError.lineTooLong(limit: 5)) {
            try lines([Array("123456\(end)".utf8)], limit: 5, ends: .lineFeeds)
        }
        #expect(throws: StreamLimitError.lineTooLong(limit: 5)) {
            try lines([Array("12345\r1\n".utf8)], limit: 5, ends: .lineFeeds)
        }
    }

    @Test("Invalid UTF-8 is replaced, and a line end within it still ends the line")
    func brokenBytes() throws {
        #expect(try lines([[0x61, 0xFF, 0xE2, 0x80, 0x0A, 0x62]]) == ["a\u{FFFD}\u{FFFD}", "b"])
        #expect(try lines([[0xC2, 0xC2, 0x85, 0x62]]) == ["\u{FFFD}", "b"])
        #expect(try lines([[0xE2, 0xE2, 0x80, 0xA8, 0xE2, 0x80]]) == ["\u{FFFD}", "\u{FFFD}"])
        #expect(try lines([[0x85, 0xA8]]) == ["\u{FFFD}\u{FFFD}"])
    }

    @Test("A line is delivered at its end, and the unfinished rest once")
    func promptness() throws {
        var parser = LineParser()
        var lines: [String] = []
        try parser.append("a\r".utf8, to: &lines)
        #expect(lines == ["a"])
        try parser.append("\nb".utf8, to: &lines)
        #expect(lines == ["a"])
        #expect(try parser.finish() == "b")
        #expect(try parser.finish() == nil)
    }

    @Test(
        "A line may be as long as the limit, not counting its end",
        arguments: ["\n", "\r", "\r\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}", ""])
    func limit(_ end: String) throws {
        #expect(try lines(Array("12345\(end)".utf8).map { [$0] }, limit: 5) == ["12345"])
        #expect(throws: StreamLimitError.lineTooLong(limit: 5)) { try lines([Array("123456\(end)".utf8)], limit: 5) }
    }

    @Test("An incomplete line end counts towards the limit", arguments: [[0xC2], [0xE2], [0xE2, 0x80]] as [[UInt8]])
    func limitAtHalfLineEnd(_ bytes: [UInt8]) {
        for end in [[], [0x0A], [0x61]] as [[UInt8]] {
            #expect(throws: StreamLimitError.lineTooLong(limit: 5)) {
                try lines([Array("12345".utf8), bytes, end], limit: 5)
            }
        }
    }

    @Test("Lines before a breach of the limit are kept, and nothing is read after it")
    func breach() {
        var parser = LineParser(limit: 3)
        var lines: [String] = []
        #expect(throws: StreamLimitError.self) { try parser.append("a\nb\n1234\nc\n".utf8, to: &lines) }
        #expect(lines == ["a", "b"])
        #expect(throws: StreamLimitError.self) { try parser.append("d\n".utf8, to: &lines) }
        #expect(throws: StreamLimitError.self) { try parser.finish() }
        #expect(lines == ["a", "b"])
    }

    @Test("A long line, and many empty ones, are read byte by byte")
    func scale() throws {
        let count = 256 * 1024
        var parser = LineParser()
        var lines: [String] = []
        for _ in 0..<count { try parser.append(CollectionOfOne(0x61), to: &lines) }
        for _ in 0..<count { try parser.append(CollectionOfOne(0x0A), to: &lines) }
        #expect(lines.map(\.utf8.count) == [count])
        try parser.append([UInt8](repeating: 0x0A, count: count), to: &lines)
        #expect(lines.count == 1)
    }
}
