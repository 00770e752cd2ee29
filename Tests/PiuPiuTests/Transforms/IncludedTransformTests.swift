import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The included transforms", .timeLimit(.minutes(10)))
struct IncludedTransformTests {
    private static let date = Date(timeIntervalSince1970: 1_525_167_000)

    @Test("Each transform reads and writes its format")
    func values() throws {
        let dates = DateTransform(formatter: .rfc3339)
        #expect(try dates.json(Self.date).jsonText == #"{"value":"2018-05-01T09:30:00Z"}"#)
        #expect(try dates.value(#"{"value":"2018-05-01T11:30:00+02:00"}"#) == Self.date)
        #expect(try DateTransform().json(Self.date) == dates.json(Self.date))

        let zone = try #require(TimeZone(identifier: "America/Montreal"))
        #expect(try TimeZoneTransform().json(zone).jsonText == #"{"value":"America/Montreal"}"#)
        #expect(try TimeZoneTransform().value(#"{"value":"America/Montreal"}"#) == zone)

        let url = try URL(fixture: "https://example.com/a?b=c#d")
        #expect(try URLTransform().json(url).jsonText == #"{"value":"https://example.com/a?b=c#d"}"#)
        #expect(try URLTransform().value(#"{"value":"https://example.com/a?b=c#d"}"#) == url)
        let mixed = try URLTransform().value(#"{"value":"https://example.com/a%20b c?d=%2F|"}"#)
        #expect(mixed?.absoluteString == "https://example.com/a%20b%20c?d=%2F%7C")
        let relative = try #require(URL(string: "b", relativeTo: URL(string: "https://example.com/a/")))
        #expect(try URLTransform().json(relative).jsonText == #"{"value":"https://example.com/a/b"}"#)

        #expect(try UnixSecondsTransform().json(Self.date).jsonText == #"{"value":1525167000}"#)
        for number in [0.1, -0.1, 0.000001, 1525167000.123456, -1e15, 4e9 + 0.3, 978307200.000001] {
            let date = try UnixSecondsTransform().from(json: number, codingPath: [])
            #expect(try UnixSecondsTransform().toJSON(date, codingPath: []) == number)
        }
        #expect(try UnixSecondsTransform().value(#"{"value":1525167000.5}"#) == Self.date.addingTimeInterval(0.5))
        #expect(try UnixMillisecondsTransform().json(Self.date + 0.25).jsonText == #"{"value":1525167000250}"#)
        #expect(try UnixMillisecondsTransform().json(Self.date + 0.0006).jsonText == #"{"value":1525167000001}"#)
        #expect(try UnixMillisecondsTransform().value(#"{"value":1525167000250}"#) == Self.date + 0.25)

        #expect(try StringRepresentationTransform<Int>().json(-7).jsonText == #"{"value":"-7"}"#)
        #expect(try StringRepresentationTransform<Int>().value(#"{"value":"-7"}"#) == -7)
        #expect(try StringRepresentationTransform<Bool>().value(#"{"value":"true"}"#) == true)
        #expect(try StringRepresentationTransform<Character>().value(#"{"value":"👩‍👧"}"#) == "👩‍👧")
        #expect(try NumberRepresentationTransform<Int64>().json("42").jsonText == #"{"value":42}"#)
        #expect(try NumberRepresentationTransform<Int64>().value(#"{"value":42}"#) == "42")
        #expect(try NumberRepresentationTransform<Double>().value(#"{"value":1.5}"#) == "1.5")
    }

    @Test("The number transforms of PiuPiu 1.x convert in the same direction both ways")
    func sameDirection() throws {
        #expect(try IntFromStringTransform().value(#"{"value":"42"}"#) == Int64(42))
        #expect(try IntFromStringTransform().json("42").jsonText == #"{"value":42}"#)
        #expect(try StringFromIntTransform().value(#"{"value":42}"#) == "42")
        #expect(try StringFromIntTransform().json(Int64(42)).jsonText == #"{"value":"42"}"#)
        let extremes = [Int64.min, .max]
        for number in extremes {
            #expect(try IntFromStringTransform().json(String(number)).jsonText == #"{"value":\#(number)}"#)
            #expect(try StringFromIntTransform().value(#"{"value":\#(number)}"#) == String(number))
        }
    }

    @Test("A failed read is an error with the path and the received text")
    func decodingErrors() throws {
        let attempts: [(json: String, decode: (String) throws -> Void)] = [
            ("yesterday", { _ = try DateTransform().value($0) }),
            ("yesterday", { _ = try RFC3339DateTransform().value($0) }),
            ("", { _ = try URLTransform().value($0) }),
            ("4 2", { _ = try IntFromStringTransform().value($0) }),
            ("9223372036854775808", { _ = try IntFromStringTransform().value($0) }),
            ("300", { _ = try StringRepresentationTransform<UInt8>().value($0) }),
            ("", { _ = try StringRepresentationTransform<Character>().value($0) }),
            ("AB", { _ = try StringRepresentationTransform<Character>().value($0) }),
        ]
        for (json, decode) in attempts {
            let error = try #require(throws: DecodingError.self) { try decode(#"{"value":"\#(json)"}"#) }
            guard case .dataCorrupted(let context) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(codingPathText(of: error) == "value")
            #expect(context.debugDescription.contains("\"\(json)\" is not"))
        }
    }

    @Test("A failed write is an error with the path")
    func encodingErrors() throws {
        let distant = [Double.nan, .infinity, -.infinity, 1e300, -1e300].map(Date.init(timeIntervalSince1970:))
        let attempts: [() throws -> Void] =
            [
                { _ = try IntFromStringTransform().json("4 2") },
                { _ = try NumberRepresentationTransform<UInt8>().json("300") },
                { _ = try RFC3339DateTransform().json(Date(timeIntervalSince1970: 253_402_300_800)) },
                { _ = try UnixSecondsTransform().json(Date(timeIntervalSince1970: .nan)) },
            ]
            + distant.flatMap { date in
                [
                    { _ = try DateTransform().json(date) }, { _ = try RFC3339DateTransform().json(date) },
                    { _ = try UnixMillisecondsTransform().json(date) },
                ]
            }
        for attempt in attempts {
            let error = try #require(throws: EncodingError.self) { try attempt() }
            #expect(codingPathText(of: error) == "value")
            #expect(!String(reflecting: error).isEmpty)
        }
        for number in [Double.nan, .infinity] {
            #expect(throws: DecodingError.self) { try UnixSecondsTransform().from(json: number, codingPath: []) }
            #expect(throws: DecodingError.self) { try UnixMillisecondsTransform().from(json: number, codingPath: []) }
        }
    }

    @Test("An unknown time zone is an error of its own, with the path and advice")
    func unknownTimeZone() throws {
        let error = try #require(throws: TimeZoneTransform.TransformError.self) {
            try TimeZoneTransform().value(#"{"value":"Europa/Paris"}"#)
        }
        #expect(error == .invalidIdentifier)
        #expect(codingPathText(of: error) == "value")
        #expect(
            error.localizedDescription
                == #""Europa/Paris" at value is not the identifier of a time zone. "#
                + "Use one of the IANA database, such as Europe/Paris.")
        #expect(TimeZoneTransform.TransformError.invalidIdentifier.localizedDescription.contains("at the top level"))
        let response = try fixtureResponse(#"{"zone":"x"}"#)
        let decodingError = try #require(throws: ResponseDecodingError.self) { try response.decode(Zoned.self) }
        #expect(decodingError.codingPath == "zone")
    }

    @Test("Every offset of whole minutes is read, in each notation")
    func offsets() throws {
        for minutes in -18 * 60...18 * 60 {
            let zone = try #require(TimeZone(secondsFromGMT: minutes * 60))
            #expect(try TimeZoneTransform().value(TimeZoneTransform().json(zone)) == zone)
        }
        for (text, seconds) in [
            ("GMT+1", 3600), ("GMT-05", -18000), ("GMT+1:30", 5400), ("UTC+05:30", 19800), ("GMT+0", 0), ("GMT", 0),
            ("UTC", 0), ("Etc/GMT+5", -18000),
        ] {
            #expect(try TimeZoneTransform().from(json: text, codingPath: []).secondsFromGMT() == seconds, "\(text)")
        }
    }

    @Test(
        "A malformed offset is an error, even where Foundation would end the process",
        arguments: [
            "GMT+12:-1", "GMT-05.z5", "UTC+05/!0", "GMT+05::9", "GMT+05:99", "GMT+", "GMT+1:3", "GMT+é", "GMT+19:00",
            "GMT+\u{301}5:.1", "GMT+0\u{20E3}:.12",
        ])
    func malformedOffset(text: String) {
        #expect(throws: TimeZoneTransform.TransformError.invalidIdentifier) {
            try TimeZoneTransform().from(json: text, codingPath: [])
        }
    }

    private struct Zoned: Codable {
        @Transformed<TimeZoneTransform> var zone: TimeZone
    }

    @Test(
        "DateTransform copies its formatter: changes to the one passed in, or returned, don't affect it"
    )
    func formatterIsCopied() throws {
        let formatter = DateFormatter.rfc3339
        let transform = DateTransform(formatter: formatter)
        formatter.dateFormat = "yyyy"
        transform.formatter.dateFormat = "yyyy"
        #expect(try transform.toJSON(Self.date, codingPath: []) == "2018-05-01T09:30:00Z")
        #expect(transform.formatter.dateFormat == "yyyy-MM-dd'T'HH:mm:ssZZZZZ")
        #expect(transform.formatter.timeZone.secondsFromGMT() == 0)
        #expect(transform.formatter.locale.identifier == "en_US_POSIX")
    }

    private final class LenientFormatter: DateFormatter, @unchecked Sendable {
        // Sound: it adds no mutable state.
        override func date(from string: String) -> Date? { Date(timeIntervalSince1970: 0) }
    }

    @Test("DateTransform uses a subclass's formatter without a copy")
    func formatterOfSubclass() throws {
        let formatter = LenientFormatter()
        #expect(try DateTransform(formatter: formatter).value(#"{"value":"x"}"#) == Date(timeIntervalSince1970: 0))
        #expect(DateTransform(formatter: formatter).formatter === formatter)
    }

    @Test(
        "Text is refused if the formatter stops reading within a character",
        arguments: ["2018\u{301}-05-01T09:30:00Z", "2018-05-01T09:30:00Z\u{301}", "2018-05-01T09\r\n", "👩‍👧"])
    func brokenCharacters(_ text: String) {
        #expect(throws: DecodingError.self) { try DateTransform().from(json: text, codingPath: []) }
    }

    @Test("SENDABLE: many tasks use one DateTransform at once")
    func concurrentDates() async throws {
        let transform = DateTransform()
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        let date = Date(timeIntervalSince1970: Double(number * 8 + task) * 86_399)
                        let text = try transform.toJSON(date, codingPath: [])
                        #expect(try transform.from(json: text, codingPath: []) == date)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
