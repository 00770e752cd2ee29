import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Transforms of random values", .timeLimit(.minutes(10)))
struct TransformPropertyTests {
    /// From 1584 to 9998: Foundation's calendars are Julian before.
    private static let gregorianSeconds: ClosedRange<Int64> = -12_181_000_000...253_339_000_000
    private static let rounds = 300

    /// Writes random values, and checks that the transform and Foundation alone read the same from the JSON.
    private func check<T: Transform, Plain: Decodable>(
        _ transform: T, _ test: String, plainly type: Plain.Type, decoder: JSONDecoder = JSONDecoder(),
        value makeValue: (inout SeededGenerator) throws -> T.ValueSource, plain: (T.ValueSource) -> Plain,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws where T.ValueSource == T.ValueDestination, T.ValueSource: Equatable, Plain: Equatable {
        let seed = StreamBytes.seed(for: test)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let value = try makeValue(&generator)
            let comment: Comment = "seed \(seed), round \(round): \(String(reflecting: value))"
            let json = try transform.json(value)
            #expect(try transform.value(json) == value, comment, sourceLocation: sourceLocation)
            let plainValue = try decoder.decode(PlainTransformHolder<Plain>.self, from: json).value
            #expect(plainValue == plain(value), comment, sourceLocation: sourceLocation)
        }
    }

    private static func second(_ generator: inout SeededGenerator) -> Date {
        let range: ClosedRange<Int64> = Bool.random(using: &generator) ? 0...2_000_000_000 : gregorianSeconds
        return Date(timeIntervalSince1970: Double(Int64.random(in: range, using: &generator)))
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let parts = ["", "a", " ", "ü", "日", "👩‍👧", "\"", "\\", "\0", "\u{2028}", "e\u{301}", "/", "7", "-", "\n"]
        return (0..<Int.random(in: 0...8, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }
            .joined()
    }

    @Test("Foundation's iso8601 strategy and formatters read dates in whole seconds")
    func wholeSeconds() throws {
        let iso8601 = JSONDecoder()
        iso8601.dateDecodingStrategy = .iso8601
        let formatted = JSONDecoder()
        formatted.dateDecodingStrategy = .formatted(.rfc3339)
        let whole = RFC3339DateTransform(fractionalDigits: 0)
        for decoder in [iso8601, formatted] {
            try check(
                whole, "Whole seconds", plainly: Date.self, decoder: decoder, value: Self.second, plain: { $0 })
            try check(
                DateTransform(), "Formatted dates", plainly: Date.self, decoder: decoder, value: Self.second,
                plain: { $0 })
        }
        // The strategies also read what Foundation's encoder writes.
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        let seed = StreamBytes.seed(for: "ISO 8601 by Foundation")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let date = Self.second(&generator)
            let read = try decoder.decode([Date].self, from: encoder.encode([date]))
            #expect(read == [date], "seed \(seed), round \(round)")
        }
    }

    @Test("Foundation's ISO 8601 style reads dates with milliseconds")
    func milliseconds() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom {
            try style.parse($0.singleValueContainer().decode(String.self))
        }
        let transform = RFC3339DateTransform()
        let seed = StreamBytes.seed(for: "Milliseconds")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let milliseconds = Int64.random(in: -1_000_000_000_000...4_000_000_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let json = try transform.json(date)
            let read = try decoder.decode(PlainTransformHolder<Date>.self, from: json).value
            // Foundation adds the parts in another order.
            #expect(abs(read.timeIntervalSince(date)) < 1e-6, "seed \(seed), round \(round): \(json.jsonText)")
            let again = try #require(try transform.value(json))
            #expect(abs(again.timeIntervalSince(date)) < 1e-6, "seed \(seed), round \(round): \(json.jsonText)")
            #expect(try transform.json(again) == json, "seed \(seed), round \(round): \(json.jsonText)")
        }
    }

    @Test("Nine decimals keep every date of our age exactly")
    func nineDecimals() throws {
        let transform = RFC3339DateTransform(fractionalDigits: 9)
        let seed = StreamBytes.seed(for: "Nine decimals")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let seconds = Double.random(in: 1e7...1e10, using: &generator) * (round % 2 == 0 ? 1 : -1)
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let read = try transform.value(transform.json(date))
            #expect(read == date, "seed \(seed), round \(round): \(seconds)")
        }
    }

    @Test("Foundation's strategies read Unix times")
    func unixTimes() throws {
        let seconds = JSONDecoder()
        seconds.dateDecodingStrategy = .secondsSince1970
        try check(
            UnixSecondsTransform(), "Unix seconds", plainly: Date.self, decoder: seconds,
            value: { Date(timeIntervalSince1970: Double.random(in: -1e11...1e11, using: &$0)) }, plain: { $0 })
        let milliseconds = JSONDecoder()
        milliseconds.dateDecodingStrategy = .millisecondsSince1970
        try check(
            UnixMillisecondsTransform(), "Unix milliseconds", plainly: Date.self, decoder: milliseconds,
            value: { Date(timeIntervalSince1970: Double(Int64.random(in: -(1 << 50)...1 << 50, using: &$0)) / 1000) },
            plain: { $0 })
    }

    @Test("Foundation reads numbers as text, text as numbers, and other text")
    func numbersAndText() throws {
        try check(
            StringRepresentationTransform<Int64>(), "Numbers as text", plainly: String.self,
            value: { Int64.random(in: .min ... .max, using: &$0) }, plain: { String($0) })
        try check(
            StringRepresentationTransform<Double>(), "Fractions as text", plainly: String.self,
            value: { Double(Int64.random(in: .min ... .max, using: &$0)) / 1e9 }, plain: { "\($0)" })
        try check(
            NumberRepresentationTransform<Int64>(), "Text as numbers", plainly: Int64.self,
            value: { String(Int64.random(in: .min ... .max, using: &$0)) }, plain: { Int64($0) ?? 0 })
        try check(
            EmptyStringTransform(), "Text", plainly: String?.self, value: { "a\(Self.text(&$0))" }, plain: { $0 })
    }

    @Test("Foundation reads what PiuPiu 1.x's number transforms write, and they read each other's JSON")
    func sameDirection() throws {
        let seed = StreamBytes.seed(for: "Numbers in one direction")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let number = Int64.random(in: .min ... .max, using: &generator)
            let comment: Comment = "seed \(seed), round \(round): \(number)"
            let json = try IntFromStringTransform().json(String(number))
            #expect(try JSONDecoder().decode(PlainTransformHolder<Int64>.self, from: json).value == number, comment)
            #expect(try StringFromIntTransform().value(json) == String(number), comment)
            let text = try StringFromIntTransform().json(number)
            #expect(
                try JSONDecoder().decode(PlainTransformHolder<String>.self, from: text).value == String(number), comment
            )
            #expect(try IntFromStringTransform().value(text) == number, comment)
        }
    }

    @Test("Foundation reads URLs and time zones")
    func urlsAndTimeZones() throws {
        try check(
            URLTransform(), "URLs", plainly: URL.self,
            value: { generator in
                let path = Self.text(&generator), query = Self.text(&generator)
                var components = URLComponents()
                components.scheme = "https"
                components.host = "example.com"
                components.path = "/\(path)"
                components.queryItems = query.isEmpty ? nil : [URLQueryItem(name: "q", value: query)]
                return try #require(components.url)
            }, plain: { $0 })
        let identifiers = TimeZone.knownTimeZoneIdentifiers
        try check(
            TimeZoneTransform(), "Time zones", plainly: String.self,
            value: { try #require(TimeZone(identifier: identifiers.randomElement(using: &$0) ?? "GMT")) },
            plain: \.identifier)
    }
}
