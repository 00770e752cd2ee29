import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Bodies of requests", .timeLimit(.minutes(10)))
struct RequestBodyTests {
    /// A kind of request whose body can be set.
    enum Kind: CaseIterable {
        case basic, url

        func make() throws -> any HTTPBodyHolding {
            switch self {
            case .basic: BasicRequest(method: .post, path: "/posts?token=secret")
            case .url: URLRequest(url: try URL(fixture: "https://u:pw@a.com/posts?token=secret"), method: .post)
            }
        }
    }

    private struct Post: Codable, Equatable {
        var id = 1
        var date = Date(timeIntervalSince1970: 0)
        var rating = 1.0
    }

    private struct Thread: Codable { var posts = [Post()] }

    private func object(_ request: any HTTPBodyHolding) throws -> [String: Any?] {
        let json = try JSONSerialization.jsonObject(with: try #require(request.httpBody))
        return try #require(json as? [String: Any?])
    }

    @Test("A value becomes JSON, with an encoder or a date strategy of the call", arguments: Kind.allCases)
    func encodable(kind: Kind) throws {
        var request = try kind.make()
        try request.setJSONBody(Post())
        #expect(try JSONDecoder().decode(Post.self, from: try #require(request.httpBody)) == Post())
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        try request.setJSONBody(encodable: Post(id: 2))
        #expect(try object(request)["id"] as? Int == 2)
        try request.setJSONBody(Post(), dateEncodingStrategy: .iso8601)
        #expect(try object(request)["date"] as? String == "1970-01-01T00:00:00Z")
        try request.setJSONBody(encodable: Post(), dateEncodingStrategy: .secondsSince1970)
        #expect(try object(request)["date"] as? Int == 0)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        try request.setJSONBody(Post(), encoder: encoder)
        #expect(try object(request)["date"] as? String == "1970-01-01T00:00:00Z")
        try request.setJSONBody(encodable: Post(), encoder: encoder)
        #expect(try object(request)["date"] as? String == "1970-01-01T00:00:00Z")
    }

    @Test("setJSONBody keeps a Content-Type, whatever its case; setHTTPBody sets none", arguments: Kind.allCases)
    func contentTypes(kind: Kind) throws {
        var request = try kind.make()
        request.setHTTPBody(string: "{}")
        try request.setHTTPBody(text: "{}", encoding: .utf8)
        try request.setHTTPBody(jsonObject: [:])
        try request.setHTTPBody(jsonArray: [])
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
        request.setValue("text/x", forHTTPHeaderField: "content-type")
        try request.setJSONBody(Post())
        request.setJSONBody(string: "{}")
        request.setJSONBody(data: Data("{}".utf8))
        request.ensureJSONContentType()
        request.setFormBody(["a": "b"])
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "text/x")
        let base = try URL(fixture: "https://a.com")
        let sent = try (request as? BasicRequest)?.urlRequest(withBaseURL: base) ?? #require(request as? URLRequest)
        #expect(sent.allHTTPHeaderFields?.count == 1)
    }

    @Test("Objects and arrays become JSON, a nil becomes null", arguments: Kind.allCases)
    func objects(kind: Kind) throws {
        var request = try kind.make()
        try request.setJSONBody(jsonObject: ["a": nil, "b": ["c": nil] as [String: Any?]], options: .sortedKeys)
        #expect(request.httpBody.text == #"{"a":null,"b":{"c":null}}"#)
        try request.setJSONBody(jsonArray: [["a": 1], ["b": nil]], options: .sortedKeys)
        #expect(request.httpBody.text == #"[{"a":1},{"b":null}]"#)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        try request.setHTTPBody(jsonObject: ["a": true])
        #expect(request.httpBody.text == #"{"a":true}"#)
        try request.setHTTPBody(jsonArray: [["a": nil]])
        #expect(request.httpBody.text == #"[{"a":null}]"#)
    }

    @Test("A nil in a box becomes null, too, at any depth", arguments: Kind.allCases)
    func boxedNil(kind: Kind) throws {
        var request = try kind.make()
        let nick: String? = nil
        try request.setJSONBody(jsonObject: ["nick": nick as Any])
        #expect(request.httpBody.text == #"{"nick":null}"#)
        try request.setJSONBody(jsonArray: [["nick": nick as Any]])
        #expect(request.httpBody.text == #"[{"nick":null}]"#)
        try request.setJSONBody(
            jsonObject: ["a": ["b": nick as Any] as [String: Any?], "c": [nick as Any]], options: .sortedKeys)
        #expect(request.httpBody.text == #"{"a":{"b":null},"c":[null]}"#)
    }

    @Test("Bytes that are JSON already are sent as they are", arguments: Kind.allCases)
    func data(kind: Kind) throws {
        var request = try kind.make()
        let json = Data(#"{ "id": 1 }"#.utf8)
        request.setJSONBody(data: json)
        #expect(request.httpBody == json)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        try request.setJSONBody(encodable: json)
        #expect(request.httpBody.text == "\"\(json.base64EncodedString())\"")
    }

    @Test("Texts are written in their encoding", arguments: Kind.allCases)
    func texts(kind: Kind) throws {
        var request = try kind.make()
        request.setJSONBody(string: "ü")
        #expect(request.httpBody == Data([0xC3, 0xBC]))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        try request.setJSONBody(text: "ü", encoding: .isoLatin1)
        #expect(request.httpBody == Data([0xFC]))
        request.setHTTPBody(string: "é")
        #expect(request.httpBody == Data([0xC3, 0xA9]))
        try request.setHTTPBody(text: "é", encoding: .utf16BigEndian)
        #expect(request.httpBody == Data([0, 0xE9]))
    }

    @Test(
        "An invisible character that an encoding lacks is an error, at the end of a text and elsewhere",
        .timeLimit(.minutes(10)),
        arguments: [
            String.Encoding.windowsCP1250, .windowsCP1251, .windowsCP1252, .windowsCP1253, .windowsCP1254, .isoLatin1,
            .isoLatin2, .shiftJIS, .iso2022JP, .japaneseEUC, .macOSRoman, .nextstep, .ascii, .symbol,
        ], ["a\u{200B}b", "a\u{FE0F}b", "a\u{200B}", "a\u{200D}\u{E0001}"])
    func invisibleCharacters(encoding: String.Encoding, text: String) {
        var request = BasicRequest(method: .post, path: "/")
        let error = #expect(throws: RequestBodyError.self) { try request.setHTTPBody(text: text, encoding: encoding) }
        #expect(error?.kind == .unencodableText(encoding))
    }

    @Test("A text in Mac OS Roman has the bytes of that encoding")
    func macOSRoman() throws {
        var request = BasicRequest(method: .post, path: "/")
        try request.setHTTPBody(text: "aéπ\u{FB02}", encoding: .macOSRoman)
        #expect(request.httpBody == Data([0x61, 0x8E, 0xB9, 0xDF]))
        #expect(throws: RequestBodyError.self) { try request.setHTTPBody(text: "ж", encoding: .macOSRoman) }
    }

    @Test("An invisible character that an encoding has is written")
    func knownInvisibleCharacters() throws {
        var request = BasicRequest(method: .post, path: "/")
        try request.setHTTPBody(text: "п\u{AD}", encoding: .windowsCP1251)
        #expect(request.httpBody == Data([0xEF, 0xAD]))
        let text = "п\u{AD}\u{200B}"
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf32BigEndian] {
            try request.setHTTPBody(text: text, encoding: encoding)
            #expect(request.httpBody.flatMap { String(data: $0, encoding: encoding) } == text)
        }
    }

    @Test(
        "What can't be written is a typed error that names the request, and changes nothing", arguments: Kind.allCases)
    func errors(kind: Kind) throws {
        var request = try kind.make()
        request.httpBody = Data("before".utf8)
        var errors: [RequestBodyError] = []
        func note(_ work: () throws(RequestBodyError) -> Void) {
            do { try work() } catch { errors.append(error) }
        }
        note { () throws(RequestBodyError) in try request.setHTTPBody(text: "ü", encoding: .ascii) }
        note { () throws(RequestBodyError) in try request.setJSONBody(text: "ü", encoding: .ascii) }
        note { () throws(RequestBodyError) in try request.setJSONBody(jsonObject: ["a": Date()]) }
        note { () throws(RequestBodyError) in try request.setHTTPBody(jsonArray: [["a": Double.nan]]) }
        note { () throws(RequestBodyError) in try request.setJSONBody(Thread(posts: [Post(), Post(rating: .nan)])) }
        #expect(
            errors.map(\.kind) == [
                .unencodableText(.ascii), .unencodableText(.ascii), .invalidJSON, .invalidJSON,
                .unencodableValue(typeName: "Thread"),
            ])
        #expect(errors.last?.codingPath == "posts[1].rating")
        #expect(errors.last?.underlyingError is EncodingError)
        for error in errors {
            #expect(
                error.localizedDescription.contains(kind == .basic ? #"POST "/posts?…""# : "POST https://a.com/posts"))
            #expect(error.localizedDescription.split(separator: ". ").count == 2)
            for secret in ["secret", "pw"] { #expect(!error.localizedDescription.contains(secret)) }
        }
        #expect(
            errors.map(\.errorKey) == [
                "RequestBodyError.unencodableText", "RequestBodyError.unencodableText", "RequestBodyError.invalidJSON",
                "RequestBodyError.invalidJSON", "RequestBodyError.unencodableValue",
            ])
        #expect(request.httpBody.text == "before")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test("A value becomes a form, with an encoder of the call", arguments: Kind.allCases)
    func encodableForm(kind: Kind) throws {
        var request = try kind.make()
        try request.setFormBody(encodable: Post())
        #expect(request.httpBody.text == "id=1&date=1970-01-01T00%3A00%3A00Z&rating=1")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == URLEncodedForm.contentType)
        try request.setFormBody(encodable: Thread(), encoder: URLEncodedFormEncoder(arrays: .indices, nesting: .dots))
        #expect(
            request.httpBody.text
                == "posts%5B0%5D.id=1&posts%5B0%5D.date=1970-01-01T00%3A00%3A00Z&posts%5B0%5D.rating=1")
        request.setValue("text/plain", forHTTPHeaderField: "content-type")
        try request.setFormBody(encodable: ["a": "b"])
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        let error = try #require(throws: RequestBodyError.self) { try request.setFormBody(encodable: [1]) }
        #expect(error.localizedDescription.contains(kind == .basic ? #"POST "/posts?…""# : "POST https://a.com/posts"))
        #expect(request.httpBody.text == "a=b")
    }

    @Test("Forms are bodies with their Content-Type", arguments: Kind.allCases)
    func forms(kind: Kind) throws {
        var request = try kind.make()
        request.setFormBody(["a b": "c+d", "a b": ""])
        #expect(request.httpBody.text == "a+b=c%2Bd&a+b=")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        var form = try MultipartForm(boundary: "B")
        form.append(text: "t", forName: "n")
        try request.setFormBody(form)
        #expect(request.httpBody.text == "--B\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nt\r\n--B--\r\n")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=B")
    }

    @Test("A type of an app has the helpers too")
    func ownType() throws {
        struct Own: HTTPBodyHolding {
            var httpBody: Data?
            var type: String?
            func value(forHTTPHeaderField name: String) -> String? { type }
            mutating func setValue(_ value: String?, forHTTPHeaderField name: String) { type = value }
        }
        var own = Own()
        try own.setJSONBody([1])
        #expect(own.httpBody.text == "[1]")
        #expect(own.type == "application/json")
        let error = #expect(throws: RequestBodyError.self) { try own.setHTTPBody(text: "ü", encoding: .ascii) }
        #expect(error?.request == nil)
    }
}
