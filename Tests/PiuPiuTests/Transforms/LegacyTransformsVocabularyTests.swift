import Foundation
import PiuPiu
import Testing

/// Deprecated names, behind a name that isn't deprecated.
private protocol DeprecatedNames: Sendable {
    static func use() throws
}

/// Every name of PiuPiu 1.11's transforms and dates, each used once.
@Suite("The names of PiuPiu 1.11: transforms", .timeLimit(.minutes(10)))
struct LegacyTransformsVocabularyTests {
    private struct OnlyEncodes: EncodingTransform {
        func toJSON(_ value: Int, codingPath: [any CodingKey]) throws -> String { "\(value)" }
    }

    private struct OnlyDecodes: DecodingTransform {
        func from(json: String, codingPath: [any CodingKey]) throws -> Int { Int(json) ?? 0 }
    }

    private struct Model: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case date, zone, url, number, text, nickname, missing, custom
        }

        var date: Date
        var zone: TimeZone
        var url: URL?
        var number: Int64
        var text: String
        var nickname: String?
        var missing: URL?
        var custom: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            date = try container.decode(using: DateTransform(formatter: .rfc3339), forKey: .date)
            zone = try container.decode(using: TimeZoneTransform(), forKey: .zone)
            url = try container.decodeIfPresent(using: URLTransform(), forKey: .url)
            number = try container.decode(using: IntFromStringTransform(), forKey: .number)
            text = try container.decode(using: StringFromIntTransform(), forKey: .text)
            nickname = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .nickname) ?? nil
            missing = try container.decodeIfPresent(using: URLTransform(), forKey: .missing)
            custom = try container.decode(using: OnlyDecodes(), forKey: .custom)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(date, forKey: .date, using: DateTransform(formatter: .rfc3339))
            try container.encode(zone, forKey: .zone, using: TimeZoneTransform())
            try container.encodeIfPresent(url, forKey: .url, using: URLTransform())
            try container.encode(number, forKey: .number, using: StringFromIntTransform())
            try container.encode(text, forKey: .text, using: IntFromStringTransform())
            try container.encodeIfPresent(nickname, forKey: .nickname, using: EmptyStringTransform())
            try container.encodeIfPresent(missing, forKey: .missing, using: URLTransform())
            try container.encode(custom, forKey: .custom, using: OnlyEncodes())
        }
    }

    @Test("A model with each transform, by the methods of the keyed containers")
    func model() throws {
        let json = """
            {"custom":"7","date":"2018-05-01T09:30:00Z","nickname":"a","number":"42","text":43,\
            "url":"https://example.com","zone":"America/Montreal"}
            """
        let model = try JSONDecoder().decode(Model.self, from: Data(json.utf8))
        #expect(model.number == 42 && model.text == "43" && model.nickname == "a" && model.custom == 7)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try encoder.encode(model).jsonText == json)
    }

    @Test("The requirements, the associated types and the transforms in both roles")
    func protocols() throws {
        func roundTrip<T: Transform>(_ transform: T, _ value: T.ValueSource) throws -> T.ValueDestination
        where T.JSONDestination == T.JSONSource {
            try transform.from(json: transform.toJSON(value, codingPath: []), codingPath: [])
        }
        let zone = try #require(TimeZone(identifier: "Europe/Paris"))
        #expect(try roundTrip(TimeZoneTransform(), zone) == zone)
        let date = Date(timeIntervalSince1970: 0)
        #expect(try roundTrip(DateTransform(formatter: .rfc3339), date) == date)
        #expect(DateTransform(formatter: .rfc3339).formatter.dateFormat == DateFormatter.rfc3339.dateFormat)
        let types: [Any.Type] = [URLTransform.ValueSource.self, URLTransform.ValueDestination.self]
        #expect(types.allSatisfy { $0 == URL.self })
        #expect(IntFromStringTransform.JSONSource.self == String.self)
        #expect(IntFromStringTransform.JSONDestination.self == Int64.self)
    }

    @Test("TransformError.invalidIdentifier, as a pattern and as a value")
    func timeZoneError() throws {
        do {
            _ = try TimeZoneTransform().from(json: "x", codingPath: [])
            Issue.record("It was accepted.")
        } catch TimeZoneTransform.TransformError.invalidIdentifier {
            // Expected.
        }
        #expect(throws: TimeZoneTransform.TransformError.invalidIdentifier) {
            try TimeZoneTransform().from(json: "x", codingPath: [])
        }
    }

    @Test("The dates of RFC 3339; URL.temporaryDirectory is Foundation's own and not ambiguous")
    func dates() throws {
        #expect(DateFormatter.rfc3339.string(from: Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = JSONEncoder.DateEncodingStrategy.rfc3339
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = JSONDecoder.DateDecodingStrategy.rfc3339
        let dates = [Date(timeIntervalSince1970: 0)]
        #expect(try decoder.decode([Date].self, from: encoder.encode(dates)) == dates)
        #expect(URL.temporaryDirectory.isFileURL)
    }

    @Test("The deprecated transform(value:), transform(json:) and DateTransform(formatter:codingPath:)")
    func deprecated() throws {
        let names: any DeprecatedNames.Type = Deprecated.self
        try names.use()
    }

    private enum Deprecated: DeprecatedNames {
        @available(*, deprecated)
        static func use() throws {
            let transform = DateTransform(formatter: .rfc3339, codingPath: [])
            #expect(try transform.transform(json: transform.transform(value: .distantPast)) == .distantPast)
            #expect(try IntFromStringTransform().transform(json: "7") == 7)
        }
    }
}
