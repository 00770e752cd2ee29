import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Splitting of random bytes into lines", .timeLimit(.minutes(10)))
struct LineParserPropertyTests {
    /// The result of parsing.
    private struct Outcome: Equatable {
        var lines: [[UInt8]] = []
        var error: StreamLimitError?
    }

    private func parse(
        _ chunks: [some Sequence<UInt8>], limit: Int, ends: LineParser.Ends = .all
    ) -> Outcome {
        var parser = LineParser(limit: limit, ends: ends)
        var lines: [String] = []
        var error: StreamLimitError?
        do throws(StreamLimitError) {
            for chunk in chunks { try parser.append(chunk, to: &lines) }
            if let rest = try parser.finish() { lines.append(rest) }
        } catch let breach {
            error = breach
        }
        // As bytes, since strings that look the same are equal.
        return Outcome(lines: lines.map { Array($0.utf8) }, error: error)
    }

    /// The decoded text, split at its line ends.
    private func expectation(_ bytes: [UInt8]) -> Outcome {
        let ends: Set<Unicode.Scalar> = ["\n", "\u{0B}", "\u{0C}", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        let lines = scalars.split(whereSeparator: ends.contains)
        return Outcome(lines: lines.map { line in line.flatMap { Array(UTF8.encode($0) ?? .init()) } })
    }

    @Test("Any bytes give the lines of their text, however they are cut, within a limit and beyond it")
    func cuts() {
        let seed = StreamBytes.seed(for: "Random lines")
        var random = StreamBytes(generator: SeededGenerator(seed: seed))
        for round in 0..<500 {
            let bytes = random.bytes()
            #expect(parse(random.cut(bytes), limit: .max) == expectation(bytes), "seed \(seed), round \(round)")
            let limit = Int.random(in: 0...12, using: &random.generator)
            let whole = parse([bytes], limit: limit)
            #expect(parse(random.cut(bytes), limit: limit) == whole, "seed \(seed), round \(round)")
        }
    }

    /// The bytes, split at their line feeds.
    private func expectationOfJSON(_ bytes: [UInt8]) -> Outcome {
        var parts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let rest = parts.removeLast()
        let lines = parts.map { $0.last == 0x0D ? $0.dropLast() : $0 } + [rest]
        return Outcome(lines: lines.filter { !$0.isEmpty }.map { Array(String(decoding: $0, as: UTF8.self).utf8) })
    }

    @Test("Any bytes give the lines between their line feeds, however they are cut, within a limit and beyond it")
    func cutsOfJSON() {
        let seed = StreamBytes.seed(for: "Random lines of JSON")
        var random = StreamBytes(generator: SeededGenerator(seed: seed))
        for round in 0..<500 {
            let bytes = random.bytes(), limit = Int.random(in: 0...12, using: &random.generator)
            let all = parse(random.cut(bytes), limit: .max, ends: .lineFeeds)
            #expect(all == expectationOfJSON(bytes), "seed \(seed), round \(round)")
            let whole = parse([bytes], limit: limit, ends: .lineFeeds)
            #expect(parse(random.cut(bytes), limit: limit, ends: .lineFeeds) == whole, "seed \(seed), round \(round)")
        }
    }
}
