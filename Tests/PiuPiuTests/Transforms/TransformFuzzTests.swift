import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Transforms of garbage", .timeLimit(.minutes(10)))
struct TransformFuzzTests {
    private static let seeds = [
        "2018-05-01T09:30:00Z", "2018-05-01T11:30:00.125+02:00", "2016-12-31T23:59:60Z", "0000-02-29t00:00:00,5-0930",
        "America/Montreal", "GMT+0130", "GMT-01:30", "https://user@example.com:80/a?b=c#d", "http://[::1]/",
        "-9223372036854775808", "1.5e300", "",
    ]

    private static let pieces = [
        "0", "9", "-", "+", ":", ".", ",", "T", "Z", " ", "\0", "/", "..", "%", "%zz", "[", "]", "@", "#", "?", "e",
        "E",
        "nan", "inf", "٣", "日", "👩‍👧", "\u{301}", "\u{202E}", "\"", "\\", "99999999999999999999", "\n", "2018", "é",
    ]

    /// Something like a date, a time zone, a URL or a number, with a few things wrong.
    private func garbage(_ generator: inout SeededGenerator) -> String {
        var characters = Array((Self.seeds.randomElement(using: &generator) ?? "").unicodeScalars)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let place = Int.random(in: 0...characters.count, using: &generator)
            let end = min(characters.count, place + Int.random(in: 0...2, using: &generator))
            let piece = Bool.random(using: &generator) ? Self.pieces.randomElement(using: &generator) ?? "" : ""
            characters.replaceSubrange(place..<end, with: piece.unicodeScalars)
        }
        return String(String.UnicodeScalarView(characters))
    }

    /// Checks that the text is refused, or read as a value that can be written and reads back the same.
    private func check<T: Transform>(_ transform: T, _ text: String, _ comment: Comment) throws
    where T.ValueSource == T.ValueDestination, T.ValueSource: Equatable {
        let json = try JSONEncoder().encode(["value": text])
        let value: T.ValueDestination
        do {
            value = try #require(try transform.value(json))
        } catch {
            #expect(codingPathText(of: error) == "value", comment)
            #expect(!error.localizedDescription.isEmpty, comment)
            return
        }
        do {
            let again = try transform.json(value)
            #expect(try transform.value(again) == value, comment)
        } catch {
            // A date of the year 0 may be one of the year before in UTC.
            #expect(error is EncodingError, comment)
        }
    }

    @Test("Any text is refused with its path, or read as a value that reads back the same")
    func text() throws {
        let seed = StreamBytes.seed(for: "Garbage for transforms")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<1500 {
            let text = garbage(&generator)
            let comment: Comment = "seed \(seed), round \(round): \(text.debugDescription)"
            try check(RFC3339DateTransform(fractionalDigits: 9), text, comment)
            try check(DateTransform(), text, comment)
            try check(TimeZoneTransform(), text, comment)
            try check(URLTransform(), text, comment)
            if !text.isEmpty { try check(EmptyStringTransform(), text, comment) }
            try check(StringRepresentationTransform<Int8>(), text, comment)
            _ = try? IntFromStringTransform().json(text)
            _ = try? IntFromStringTransform().value(JSONEncoder().encode(["value": text]))
            _ = try? NumberRepresentationTransform<Double>().json(text)
        }
    }

    @Test("Any date is refused with its path, or reads back the same, to the format's precision")
    func dates() throws {
        let seed = StreamBytes.seed(for: "Garbage dates")
        var generator = SeededGenerator(seed: seed)
        for round in 0..<1500 {
            let bits = Double(bitPattern: .random(in: 0 ... .max, using: &generator))
            let near = Double.random(in: -1e12...1e12, using: &generator)
            let date = Date(timeIntervalSinceReferenceDate: round % 2 == 0 ? bits : near)
            let comment: Comment = "seed \(seed), round \(round): \(date.timeIntervalSinceReferenceDate)"
            try check(date, within: 1, comment, RFC3339DateTransform(fractionalDigits: 0))
            try check(date, within: 1e-3, comment, RFC3339DateTransform())
            try check(date, within: date.timeIntervalSince1970.ulp * 2, comment, UnixSecondsTransform())
            try check(date, within: 1e-3 + date.timeIntervalSince1970.ulp * 2, comment, UnixMillisecondsTransform())
            do {
                _ = try DateTransform().json(date)
            } catch {
                #expect(codingPathText(of: error) == "value", comment)
            }
        }
    }

    private func check<T: Transform>(_ date: Date, within precision: Double, _ comment: Comment, _ transform: T) throws
    where T.ValueSource == Date, T.ValueDestination == Date {
        let json: Data
        do {
            json = try transform.json(date)
        } catch {
            #expect(codingPathText(of: error) == "value", comment)
            return
        }
        let read = try #require(try transform.value(json), comment)
        #expect(abs(read.timeIntervalSince(date)) <= precision, comment)
    }

    @Test("Any JSON is read with each transform, or refused with a DecodingError")
    func json() throws {
        let seed = StreamBytes.seed(for: "Garbage JSON for transforms")
        var generator = SeededGenerator(seed: seed)
        let values = [
            "null", "true", "0", "-1", "1e400", "1.5", "\"\"", "\"a\"", "[]", "{}", "[1]", "9223372036854775808",
        ]
        for _ in 0..<300 {
            let value = values.randomElement(using: &generator) ?? "null"
            for type in [Wrapped.self, Indirect.self] as [any Decodable.Type] {
                do {
                    _ = try JSONDecoder().decode(type, from: Data(#"{"a":\#(value),"b":\#(value)}"#.utf8))
                } catch {
                    #expect(
                        error is DecodingError || error is TimeZoneTransform.TransformError, "seed \(seed): \(value)")
                }
            }
        }
    }

    private struct Wrapped: Codable {
        @Transformed<EmptyStringTransform> var a: String?
        @TransformedIfPresent<TimeZoneTransform> var b: TimeZone?
    }

    private struct Indirect: Codable {
        @Transformed<UnixSecondsTransform> var a: Date
        @TransformedIfPresent<NumberRepresentationTransform<Int8>> var b: String?
    }
}
