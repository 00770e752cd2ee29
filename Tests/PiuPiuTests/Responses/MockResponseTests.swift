import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Mock responses", .timeLimit(.minutes(10)))
struct MockResponseTests {
    /// As the callback of a legacy mock dispatcher is written: several statements, the type argument inferred.
    let callback: @Sendable (URLRequest) throws -> Response<Data?> = { request in
        if request.url?.path == "/posts" {
            let post = FixturePost(id: 1, title: "a")
            return try Response.makeMockJSONResponse(with: request, encodable: [post], statusCode: .ok)
        } else {
            return Response.makeMockResponse(with: request, statusCode: .notFound)
        }
    }

    @Test("The spelling of a legacy mock callback compiles and answers")
    func legacySpelling() throws {
        let posts = try callback(fixtureRequest()).makeHTTPResponse()
        #expect(posts.statusCode == .ok)
        #expect(try posts.decode([FixturePost].self) == [FixturePost(id: 1, title: "a")])
        let missing = try callback(fixtureRequest("https://example.com/other"))
        #expect(missing.data == nil)
        #expect(missing.urlRequest.url?.path == "/other")
        #expect(missing.urlResponse.url == missing.urlRequest.url)
        #expect(try missing.makeHTTPResponse().statusCode == .notFound)
    }

    @Test("The given encoder encodes the body")
    func encoder() throws {
        struct Key: Encodable { var someId = 7 }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let response = try Response.makeMockJSONResponse(
            with: fixtureRequest(), encodable: Key(), statusCode: .ok, headers: ["A": "b"], encoder: encoder)
        #expect(try response.decodeString() == #"{"some_id":7}"#)
        #expect(try response.makeHTTPResponse().httpResponse.value(forHTTPHeaderField: "a") == "b")
    }

    @Test("A JSON object becomes the body, and nil in it null")
    func jsonObject() throws {
        let object: [String: Any?] = ["a": 1, "b": nil, "c": ["d": [1, nil] as [Int?]]]
        let response = try Response.makeMockResponse(
            with: fixtureRequest(), jsonObject: object, options: .sortedKeys, statusCode: .other(999),
            headers: ["A": "b"])
        #expect(try response.decodeString() == #"{"a":1,"b":null,"c":{"d":[1,null]}}"#)
        #expect(try response.makeHTTPResponse().statusCode == .other(999))
        #expect(try response.makeHTTPResponse().httpResponse.value(forHTTPHeaderField: "a") == "b")
    }

    @Test("A nil in a box becomes null, too")
    func boxedNil() throws {
        let nick: String? = nil
        let response = try Response.makeMockResponse(
            with: fixtureRequest(), jsonObject: ["nick": nick as Any], statusCode: .ok)
        #expect(try response.decodeString() == #"{"nick":null}"#)
    }

    @Test("A text becomes the body in the given encoding")
    func jsonString() throws {
        let response = Response.makeMockResponse(
            with: try fixtureRequest(), jsonString: "\"é\"", encoding: .isoLatin1, statusCode: .ok, headers: ["A": "b"])
        #expect(response.data == Data([0x22, 0xE9, 0x22]))
        #expect(try response.makeHTTPResponse().httpResponse.value(forHTTPHeaderField: "a") == "b")
    }

    @Test("A text becomes the body in the given encoding, or an error")
    func text() throws {
        let response = try Response.makeMockResponse(
            with: fixtureRequest(), text: "é", encoding: .isoLatin1, statusCode: .created, headers: ["A": "b"])
        #expect(response.data == Data([0xE9]))
        #expect(try response.makeHTTPResponse().statusCode == .created)
        #expect(try response.makeHTTPResponse().httpResponse.value(forHTTPHeaderField: "a") == "b")
    }

    @Test("A request without a URL is an error where one can be thrown, and no HTTP response elsewhere")
    func missingURL() throws {
        var request = try fixtureRequest()
        request.url = nil
        let error = RequestError.missingURL
        #expect(throws: error) { try Response.makeMockJSONResponse(with: request, encodable: 1, statusCode: .ok) }
        #expect(throws: error) { try Response.makeMockResponse(with: request, jsonObject: [:], statusCode: .ok) }
        #expect(throws: error) { try Response.makeMockResponse(with: request, text: "1", statusCode: .ok) }
        let responses = [
            Response.makeMockResponse(with: request, jsonString: "1", statusCode: .ok),
            Response.makeMockResponse(with: request, data: Data("1".utf8), statusCode: .ok),
        ]
        for response in responses {
            #expect(try response.decode(Int.self) == 1)
            #expect(throws: ResponseError.notHTTPResponse) { try response.makeHTTPResponse() }
        }
    }

    @Test("Where nothing can be thrown, a text that can't be encoded leaves no body, as in PiuPiu 1.x")
    func missingCharacter() throws {
        let response = Response.makeMockResponse(
            with: try fixtureRequest(), jsonString: "é", encoding: .ascii, statusCode: .ok)
        #expect(response.data == nil)
        #expect(try response.makeHTTPResponse().statusCode == .ok)
    }

    @Test(
        "An invisible character that an encoding lacks can't be encoded either", arguments: ["a\u{200B}b", "a\u{200B}"])
    func invisibleCharacters(text: String) throws {
        let response = Response.makeMockResponse(
            with: try fixtureRequest(), jsonString: text, encoding: .windowsCP1250, statusCode: .ok)
        #expect(response.data == nil)
        #expect(throws: MockResponseError.self) {
            try Response.makeMockResponse(
                with: fixtureRequest(), text: text, encoding: .windowsCP1250, statusCode: .ok)
        }
    }

    @Test("A body that can't be made is an error that names the URL")
    func impossibleBodies() throws {
        let request = try fixtureRequest("https://example.com/posts?token=secret")
        let errors: [MockResponseError] = [
            try #require(throws: MockResponseError.self) {
                try Response.makeMockJSONResponse(with: request, encodable: [Double.nan], statusCode: .ok)
            },
            try #require(throws: MockResponseError.self) {
                try Response.makeMockResponse(with: request, jsonObject: ["a": Date()], statusCode: .ok)
            },
            try #require(throws: MockResponseError.self) {
                try Response.makeMockResponse(with: request, text: "é", encoding: .ascii, statusCode: .ok)
            },
        ]
        guard case .failedToEncodeBody("[Double]", _, is EncodingError) = errors[0],
            case .invalidJSONObject = errors[1],
            case .failedToEncodeString(.ascii, _) = errors[2]
        else {
            Issue.record("\(errors)")
            return
        }
        #expect(errors[0].localizedDescription.contains("nan"))
        for error in errors {
            #expect(error.localizedDescription.contains("https://example.com/posts?… "))
            #expect(!error.localizedDescription.contains("secret"))
        }
    }
}
