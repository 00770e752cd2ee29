import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("ResponseDecodingError", .timeLimit(.minutes(10)))
struct ResponseDecodingErrorTests {
    private func error<D: Decodable>(
        decoding type: D.Type, from body: String, statusCode: StatusCode = .ok,
        url: String = "https://example.com/posts"
    ) throws -> ResponseDecodingError {
        let response = try fixtureResponse(body, statusCode: statusCode, url: url)
        return try #require(throws: ResponseDecodingError.self) { try response.decode(type) }
    }

    /// The text of the error of a value in two objects.
    private func shown<Value: Decodable>(_ body: String, as type: Value.Type) throws -> String {
        try error(decoding: [String: [String: Value]].self, from: body).localizedDescription
    }

    @Test("It names the request, the status, the type, the missing key and its place")
    func missingKey() throws {
        let body = #"[{"id":1,"title":"a"},{"id":2}]"#
        let error = try error(decoding: [FixturePost].self, from: body)
        #expect(error.method == "GET")
        #expect(error.url == (try URL(fixture: "https://example.com/posts")))
        #expect(error.statusCode == .ok)
        #expect(error.typeName == "[FixturePost]")
        #expect(error.codingPath == "[1].title")
        #expect(error.codingKeys.map(\.stringValue).last == "title")
        #expect(error.byteCount == body.utf8.count)
        guard case DecodingError.keyNotFound = error.underlyingError else {
            Issue.record("\(error.underlyingError)")
            return
        }
        let start = "The response of GET https://example.com/posts (200) could not be decoded as [FixturePost]: "
        let end = "no value for key 'title' at [1]. Correct the coding key, or make the property optional."
        #expect(error.localizedDescription == start + end)
    }

    @Test(
        "The place of the failure is readable",
        arguments: [
            (#"{"page":{"posts":[{"id":1}]}}"#, "page.posts[0].title", "key 'title' at page.posts[0]."),
            (#"{"page":{"posts":[{"id":null,"title":""}]}}"#, "page.posts[0].id", "null instead of Int at page.posts"),
            (#"{"page":{"posts":[{"id":"1","title":""}]}}"#, "page.posts[0].id", "no Int at page.posts[0].id: "),
            (#"{"page":{"posts":{}}}"#, "page.posts", " at page.posts"),
            ("{}", "page", "no value for key 'page' at the top level."),
            (#"{"page":"#, "", "wrong data at the top level: "),
        ])
    func places(body: String, codingPath: String, text: String) throws {
        let error = try error(decoding: FixtureFeed.self, from: body)
        #expect(error.codingPath == codingPath)
        #expect(error.localizedDescription.contains(text), "\(error.localizedDescription)")
        #expect(!error.localizedDescription.contains(".."))
        #expect(error.failureReason.map { error.localizedDescription.contains($0) } == true)
        #expect(error.recoverySuggestion.map { error.localizedDescription.hasSuffix($0) } == true)
    }

    @Test("If the status is a failure, its text says to check that first")
    func failedStatus() throws {
        let error = try error(decoding: FixturePost.self, from: "{}", statusCode: .badGateway)
        #expect(error.statusCode == .badGateway)
        #expect(error.localizedDescription.contains("(502)"))
        #expect(error.localizedDescription.hasSuffix("check httpError before decoding the body."))
    }

    @Test("Its description hides the secrets of the URL")
    func secrets() throws {
        let url = "https://user:word@example.com/posts?token=secret#part"
        let error = try error(decoding: FixturePost.self, from: "{}", url: url)
        #expect(error.localizedDescription.contains("GET https://example.com/posts?… (200)"))
        for secret in ["user", "word", "secret", "part"] {
            #expect(!error.localizedDescription.contains(secret))
        }
        #expect(error.url?.absoluteString == url)
    }

    @Test(
        "Its description hides the values of secret names, and the secrets of URLs, that a decoder quotes",
        arguments: [
            (#"{"pin":"12a4"}"#, "pin", ["12a4"]), (#"{"token":"e9f1"}"#, "token", ["e9f1"]),
            (#"{"page":"https://user:word@example.com/?token=e9f1"}"#, "page", ["user:word", "e9f1"]),
        ])
    func secretValues(body: String, place: String, secrets: [String]) throws {
        struct Account: Decodable {
            enum Plan: String, Decodable { case free }
            @TransformedIfPresent<StringRepresentationTransform<Int>> var pin: Int?
            var token: Plan?
            var page: Plan?
        }
        let error = try error(decoding: Account.self, from: body)
        guard case DecodingError.dataCorrupted(let context) = error.underlyingError else {
            Issue.record("\(error.underlyingError)")
            return
        }
        #expect(error.localizedDescription.contains("wrong data at \(place): "))
        #expect(error.localizedDescription.contains("<redacted>"))
        for secret in secrets {
            #expect(!error.localizedDescription.contains(secret))
            #expect(context.debugDescription.contains(secret))
        }
    }

    @Test("Below the names of secrets it shows the code of an error, as for a body, and what says only types")
    func errorCodes() throws {
        enum Code: String, Decodable { case forbidden }
        enum Number: Int, Decodable { case forbidden = 403 }
        struct Quoting: Decodable {
            init(from decoder: any Decoder) throws {
                let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "12a4 is wrong.")
                throw DecodingError.typeMismatch(Int.self, context)
            }
        }
        let words = #"{"error":{"code":"not_found"}}"#
        #expect(try shown(words, as: Int.self).contains("no Int at error.code: Expected"))
        #expect(try shown(words, as: Int.self).contains("found a string instead. "))
        #expect(try shown(#"{"session":{"id":"12a4"}}"#, as: Int.self).contains("found a string instead. "))
        #expect(try shown(words, as: Code.self).contains("value not_found. "))
        #expect(try shown(#"{"error":{"code":404}}"#, as: Number.self).contains("value 404. "))
        for body in ["error\":{\"code\":\"12a4", "error\":{\"code\":\"1234", "session\":{\"code\":\"abcd"] {
            #expect(try shown("{\"\(body)\"}}", as: Code.self).contains(": <redacted>. "))
        }
        #expect(try shown(#"{"user":{"pin":1}}"#, as: Quoting.self).contains(": <redacted>. "))
        #expect(try shown(#"{"user":{"age":1}}"#, as: Quoting.self).contains(": 12a4 is wrong. "))
    }

    @Test(
        "What the server chose is one short line in its text",
        arguments: ["a\u{1B}[2J", "a\nERROR", "a\u{2028}b", "a\u{85}", String(repeating: "a\u{301}", count: 10_000)])
    func hostileTexts(text: String) throws {
        struct Strict: Decodable {
            enum Kind: String, Decodable { case post }
            @Transformed<RFC3339DateTransform> var date: Date
        }
        let body = { (json: Any) throws -> String in
            let data = try JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed)
            return String(decoding: data, as: UTF8.self)
        }
        for error in [
            try error(decoding: Strict.Kind.self, from: body(text)),
            try error(decoding: [String: Int].self, from: body([text: "x"])),
            try error(decoding: Strict.self, from: body(["date": text])),
        ] {
            let shown = error.localizedDescription
            #expect(shown.contains("a") && shown.unicodeScalars.count < 900)
            #expect(!shown.contains { $0.isNewline || $0 == "\u{1B}" || $0 == "\u{85}" })
        }
        #expect(try error(decoding: [String: Int].self, from: body([text: "x"])).codingPath == text)
    }

    @Test("An error of the model's own is kept and quoted")
    func ownError() throws {
        struct Picky: Decodable {
            struct Refusal: LocalizedError, Equatable {
                var errorDescription: String? { "Too small." }
            }
            init(from decoder: any Decoder) throws { throw Refusal() }
        }
        let error = try error(decoding: Picky?.self, from: "{}")
        #expect(error.underlyingError as? Picky.Refusal == Picky.Refusal())
        #expect(error.codingPath == "")
        #expect(error.localizedDescription.contains("could not be decoded as Picky?: Too small. Compare"))
    }

    @Test("Without HTTP there is no status")
    func noStatus() throws {
        let response = try fixtureFileResponse("{}")
        let error = try #require(throws: ResponseDecodingError.self) { try response.decode(FixturePost.self) }
        #expect(error.statusCode == nil)
        #expect(error.localizedDescription.contains("file:///tmp/posts.json could not"))
    }

    @Test("Type names are written as in source")
    func typeNames() throws {
        #expect(try error(decoding: [String: [Int?]].self, from: "1").typeName == "[String: [Int?]]")
        #expect(try error(decoding: Set<Int>.self, from: "1").typeName == "Set<Int>")
    }
}
