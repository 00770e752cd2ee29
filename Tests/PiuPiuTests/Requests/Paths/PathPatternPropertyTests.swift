import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Path patterns, by random paths", .timeLimit(.minutes(10)))
struct PathPatternPropertyTests {
    private static let seeds: [UInt64] = Array(1...20)

    private static let letters = [
        "a", "B", "7", "0", "-", "+", "/", "%", " ", "ü", "😀", "?", "#", ":", ".", "~", "é", "\u{0}",
    ]

    /// Segments that are not empty, and a URL that has them as its path.
    private func randomPath(_ random: inout SeededGenerator) throws -> (segments: [String], url: URL) {
        let unreserved = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let segments = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            (0..<Int.random(in: 1...6, using: &random))
                .map { _ in Self.letters.randomElement(using: &random) ?? "" }.joined()
        }
        var text = "https://example.com"
        for segment in segments {
            text += String(repeating: "/", count: Int.random(in: 1...2, using: &random))
            text += try #require(segment.addingPercentEncoding(withAllowedCharacters: unreserved))
        }
        text += ["", "/", "//", "?q=/a/b", "#/a/b"].randomElement(using: &random) ?? ""
        return (segments, try url(text))
    }

    /// A pattern that often matches the segments.
    private func randomPattern(for segments: [String], _ random: inout SeededGenerator) -> [PathComponent] {
        var pattern: [PathComponent] = segments.map { segment in
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: .constant(segment)
            case 4..<7: .wildcard(type: .string)
            case 7..<9: .wildcard(type: .integer)
            default: .constant(segment + "a")
            }
        }
        if Int.random(in: 0..<10, using: &random) == 0 { pattern.append(.wildcard(type: .string)) }
        if Int.random(in: 0..<10, using: &random) == 0 { pattern = pattern.dropLast() }
        return pattern
    }

    /// The rules of the documentation, once more and in another way.
    private func expectedValues(_ segments: [String], _ pattern: [PathComponent]) -> [PathValue]? {
        guard segments.count == pattern.count else { return nil }
        var values: [PathValue] = []
        for index in segments.indices {
            switch pattern[index] {
            case .constant(segments[index]), .wildcard(type: .string):
                values.append(.string(segments[index]))
            case .wildcard(type: .integer):
                guard let number = Int(segments[index], radix: 10) else { return nil }
                values.append(.integer(number))
            default:
                return nil
            }
        }
        return values
    }

    @Test("What is encoded in a path matches as it was, and every index is safe", arguments: seeds)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed), matchCount = 0
        for round in 0..<100 {
            let (segments, url) = try randomPath(&random)
            let pattern = randomPattern(for: segments, &random)
            let expected = expectedValues(segments, pattern)
            let comment: Comment = "seed \(seed), round \(round): \(url) \(pattern.displayValue)"
            #expect(url.pathValues(matching: pattern) == expected, comment)
            #expect(url.pathMatches(pattern: segments.map { .constant($0) }), comment)
            if expected != nil { matchCount += 1 }
            for index in -2...pattern.count + 1 {
                let value = expected.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                #expect(url.integerValue(atIndex: index, matching: pattern) == value?.integerValue, comment)
                #expect(url.stringValue(atIndex: index, matching: pattern) == value?.stringValue, comment)
            }
        }
        #expect(matchCount > 5, "seed \(seed): random patterns that match")
    }

    @Test("Any text that makes a URL can be asked, and is no crash", arguments: seeds)
    func anyText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "%", "%2", "%2F", "%FF", "/", "//", "a", "ü", "?", "#", ":", "@", "[", "]", "..", ".", "data:", "http:",
            "9",
        ]
        for round in 0..<200 {
            let text = (0..<Int.random(in: 0...8, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let url = URL(string: text) else { continue }
            let matchCount = (0...9).count { length in
                let pattern = [PathComponent](repeating: .wildcard(type: .string), count: length)
                let values = url.pathValues(matching: pattern)
                if let values { #expect(values.count == length, "seed \(seed), round \(round): \(text)") }
                return values != nil
            }
            #expect(matchCount == 1, "seed \(seed), round \(round): \(text)")
        }
    }

    #if os(Linux) || os(macOS)
        @Test("Python's urllib reads the same segments", .enabled(if: PythonDecoder.isPresent))
        func python() async throws {
            var random = SeededGenerator(seed: 7)
            let paths = try (0..<300).map { _ in try randomPath(&random) }
            let script = """
                from urllib.parse import urlsplit, unquote
                result = [[unquote(s) for s in urlsplit(u).path.split('/') if s] for u in values]
                """
            let read = try await PythonDecoder.run(
                script, with: paths.map(\.url.absoluteString), as: [[String]].self)
            #expect(read.count == paths.count)
            for ((_, url), segments) in zip(paths, read) {
                let pattern = [PathComponent](repeating: .wildcard(type: .string), count: segments.count)
                #expect(url.pathValues(matching: pattern) == segments.map { .string($0) }, "seed 7: \(url)")
            }
        }
    #endif
}
