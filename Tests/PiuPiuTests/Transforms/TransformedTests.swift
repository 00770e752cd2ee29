import Foundation
import PiuPiu
import Testing

@Suite("Properties with a transform", .timeLimit(.minutes(10)))
struct TransformedTests {
    private struct Event: Codable, Hashable, Sendable {
        @Transformed<RFC3339DateTransform> var start: Date
        @Transformed<StringRepresentationTransform<Int>> var seats = 7
        @Transformed<EmptyStringTransform> var title: String?
        @TransformedIfPresent<URLTransform> var page: URL?
        @TransformedIfPresent<UnixSecondsTransform> var sent: Date?
    }

    private func decode(_ json: String) throws -> Event {
        try JSONDecoder().decode(Event.self, from: Data(json.utf8))
    }

    private func json(_ event: Event) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(event).jsonText
    }

    @Test("The compiler's Codable reads and writes with the transform")
    func roundTrip() throws {
        let text =
            #"{"page":"https://example.com","seats":"42","sent":1.5,"start":"2018-05-01T09:30:00.125Z","title":"A"}"#
        let event = try decode(text)
        #expect(event.start == Date(timeIntervalSince1970: 1_525_167_000.125))
        #expect(event.seats == 42)
        #expect(event.title == "A")
        #expect(event.page == URL(string: "https://example.com"))
        #expect(event.sent == Date(timeIntervalSince1970: 1.5))
        #expect(try json(event) == text)
        #expect(try decode(json(event)) == event)
        #expect(try Set([decode(text), event]).count == 1)
    }

    @Test("A missing key and null decode to nil, and nil leaves the key out")
    func optionals() throws {
        let event = try decode(#"{"seats":"1","start":"2018-05-01T09:30:00Z"}"#)
        #expect(event.page == nil && event.sent == nil && event.title == nil)
        #expect(
            try decode(#"{"page":null,"seats":"1","sent":null,"start":"2018-05-01T09:30:00Z","title":null}"#) == event)
        #expect(try decode(#"{"seats":"1","start":"2018-05-01T09:30:00Z","title":""}"#) == event)
        // EmptyStringTransform turns nil into null.
        #expect(try json(event) == #"{"seats":"1","start":"2018-05-01T09:30:00.000Z","title":null}"#)
    }

    @Test("Without a value, an optional property is nil, and others have their defaults")
    func defaults() throws {
        let event = Event(start: Date(timeIntervalSince1970: 0), title: nil)
        #expect(event.page == nil)
        #expect(event.seats == 7)
        var changed = event
        changed.page = URL(string: "a")
        changed.start += 1
        #expect(changed != event)
        #expect(try json(changed).contains(#""page":"a""#))
    }

    @Test(
        "A missing or null required key, and a refused value, are errors with their path",
        arguments: [
            (#"{"seats":"1"}"#, "start"), (#"{"seats":null,"start":"2018-05-01T09:30:00Z"}"#, "seats"),
            (#"{"seats":"x","start":"2018-05-01T09:30:00Z"}"#, "seats"),
            (#"{"seats":"1","start":"2018-05-01T09:30:00Z","page":""}"#, "page"),
            (#"{"seats":"1","start":"2018-05-01T09:30:00Z","page":7}"#, "page"),
            (#"{"seats":"1","start":"2018-05-01T09:30:00Z","title":7}"#, "title"),
        ])
    func errors(_ json: String, _ expected: String) throws {
        let error = try #require(throws: DecodingError.self) { try decode(json) }
        #expect(codingPathText(of: error) == expected)
    }

    @Test("Without keys, nil is null")
    func arrays() throws {
        let list = [TransformedIfPresent<URLTransform>(), TransformedIfPresent(wrappedValue: URL(string: "a"))]
        let json = try JSONEncoder().encode(list)
        #expect(json.jsonText == #"[null,"a"]"#)
        #expect(try JSONDecoder().decode([TransformedIfPresent<URLTransform>].self, from: json) == list)
    }

    @Test("Without keys of a model, the null of an optional value is read back, and that of others is an error")
    func optionalValues() throws {
        typealias Title = Transformed<EmptyStringTransform>
        let list = [Title(wrappedValue: nil), Title(wrappedValue: "a")]
        let json = try JSONEncoder().encode(list)
        #expect(json.jsonText == #"[null,"a"]"#)
        #expect(try JSONDecoder().decode([Title].self, from: json) == list)
        let titles = ["b": Title(wrappedValue: nil)]
        let object = try JSONEncoder().encode(titles)
        #expect(object.jsonText == #"{"b":null}"#)
        #expect(try JSONDecoder().decode([String: Title].self, from: object) == titles)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Transformed<RFC3339DateTransform>].self, from: Data("[null]".utf8))
        }
    }

    @Test("A model that is only decoded may use a transform that only decodes")
    func decodingOnly() throws {
        struct Capitalised: DecodingTransform, ParameterlessTransform {
            func from(json: String, codingPath: [any CodingKey]) throws -> String { json.uppercased() }
        }
        struct Model: Decodable {
            @Transformed<Capitalised> var name: String
            @Transformed<IntFromStringTransform> var seats: Int64
            @TransformedIfPresent<Capitalised> var nickname: String?
        }
        let model = try JSONDecoder().decode(Model.self, from: Data(#"{"name":"a","seats":"7"}"#.utf8))
        #expect(model.name == "A")
        #expect(model.seats == 7)
        #expect(model.nickname == nil)
    }

    @Test("A property list is read and written the same way")
    func propertyLists() throws {
        let event = try decode(#"{"seats":"1","start":"2018-05-01T09:30:00Z","sent":2}"#)
        let list = try PropertyListEncoder().encode(event)
        #expect(try PropertyListDecoder().decode(Event.self, from: list).sent == event.sent)
    }
}
