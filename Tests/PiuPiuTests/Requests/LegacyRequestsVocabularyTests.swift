import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Every name of the requests of PiuPiu 1.x, in its spelling of then.
@Suite("The vocabulary of requests", .timeLimit(.minutes(10)))
struct LegacyRequestsVocabularyTests {
    private final class Provider: ServerProvider {
        let baseURL = URL(string: "https://a.com")
    }

    private struct Post: Encodable { let date = Date(timeIntervalSince1970: 0) }

    @Test("BasicRequest is a Request with all of its properties and helpers")
    func basicRequest() throws {
        let base = try #require(Provider().baseURL)
        var request = BasicRequest(method: .get, path: "/p")
        request = BasicRequest(
            method: .get, path: "/p", queryItems: [URLQueryItem(name: "a", value: "b")], headers: ["H": "v"])
        request.method = .post
        request.path += "/q"
        request.queryItems.append(URLQueryItem(name: "c", value: nil))
        request.headers["I"] = "w"
        request.httpBody = nil
        #expect(try request.url(withBaseURL: base).absoluteString == "https://a.com/p/q?a=b&c")
        let asRequest: any Request = request
        #expect(try asRequest.urlRequest(withBaseURL: base).allHTTPHeaderFields == ["H": "v", "I": "w"])

        try request.setJSONBody(encodable: Post(), encoder: JSONEncoder())
        try request.setJSONBody(Post(), encoder: JSONEncoder())
        try request.setJSONBody(encodable: Post(), dateEncodingStrategy: .iso8601)
        try request.setJSONBody(Post(), dateEncodingStrategy: .iso8601)
        #expect(request.httpBody.text == #"{"date":"1970-01-01T00:00:00Z"}"#)
        request.setHTTPBody(string: "t")
        request.setJSONBody(string: "1")
        try request.setHTTPBody(jsonObject: ["a": nil], options: [])
        try request.setJSONBody(jsonObject: ["a": nil])
        try request.setHTTPBody(jsonArray: [["a": nil]], options: [])
        try request.setJSONBody(jsonArray: [["a": nil]])
        request.ensureJSONContentType()
        #expect(request.httpBody.text == #"[{"a":null}]"#)
        #expect(request.headers["Content-Type"] == "application/json")
    }

    /// Deprecated names are used without a warning where they are reached through a protocol.
    private protocol TextHelpers {
        func requests(text: String, encoding: String.Encoding, to url: URL) -> [URLRequest]
    }

    /// The same for data.
    private protocol DataHelper {
        func request(json: Data, to url: URL) throws -> URLRequest
    }

    @Test(
        "A text in another encoding, by the helpers that can't throw",
        arguments: [
            ("ü", .isoLatin1, 1), ("\u{416}", .isoLatin1, nil), ("a\u{200B}b", .windowsCP1250, nil),
            ("a\u{200B}", .windowsCP1250, nil),
        ] as [(String, String.Encoding, Int?)])
    func textInAnEncoding(text: String, encoding: String.Encoding, count: Int?) throws {
        struct Deprecated: TextHelpers {
            @available(*, deprecated)
            func requests(text: String, encoding: String.Encoding, to url: URL) -> [URLRequest] {
                var body = URLRequest(url: url, method: .post), json = body
                body.setHTTPBody(string: text, encoding: encoding)
                json.setJSONBody(string: text, encoding: encoding)
                return [body, json]
            }
        }
        let helpers: any TextHelpers = Deprecated()
        let requests = helpers.requests(text: text, encoding: encoding, to: try URL(fixture: "https://a.com"))
        #expect(requests.map { $0.httpBody?.count } == [count, count])
        #expect(requests[0].value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(requests[1].value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test("Data without a label becomes a string in Base64, even if it is JSON")
    func unlabelledData() throws {
        struct Deprecated: DataHelper {
            @available(*, deprecated)
            func request(json: Data, to url: URL) throws -> URLRequest {
                var request = URLRequest(url: url, method: .post)
                try request.setJSONBody(json)
                return request
            }
        }
        let helper: any DataHelper = Deprecated()
        let request = try helper.request(json: Data(#"{"id":1}"#.utf8), to: try URL(fixture: "https://a.com"))
        #expect(request.httpBody.text == #""eyJpZCI6MX0=""#)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test("URLRequest has the same helpers")
    func urlRequest() throws {
        var request = URLRequest(url: try URL(fixture: "https://a.com"), method: .post)
        try request.setJSONBody(encodable: Post(), encoder: JSONEncoder())
        try request.setJSONBody(Post(), encoder: JSONEncoder())
        request.setHTTPBody(string: "t")
        request.setJSONBody(string: "1")
        try request.setHTTPBody(jsonObject: ["a": nil], options: [])
        try request.setJSONBody(jsonObject: ["a": nil])
        try request.setHTTPBody(jsonArray: [["a": nil]], options: [])
        try request.setJSONBody(jsonArray: [["a": nil]])
        request.ensureJSONContentType()
        #expect(request.httpBody.text == #"[{"a":null}]"#)
        #expect(request.allHTTPHeaderFields == ["Content-Type": "application/json"])
    }

    @Test("HTTPMethod, the serializer and the errors are there")
    func others() async throws {
        let methods: [HTTPMethod] = [.options, .get, .head, .post, .put, .patch, .delete, .trace, .connect]
        #expect(
            methods.map(\.rawValue).joined(separator: " ") == "OPTIONS GET HEAD POST PUT PATCH DELETE TRACE CONNECT")
        let provider = Provider()
        let mock = MockURLRequestDispatcher { Response.makeMockResponse(with: $0, statusCode: .ok) }
        let serializer = RequestSerializer(dispatcher: mock, serverProvider: provider)
        let response = try await serializer.dataFuture(from: BasicRequest(method: .get, path: "p")).value
        #expect(response.urlRequest.url?.absoluteString == "https://a.com/p")
        #expect(RequestError.missingURL.errorKey == "MissingURL")
        #expect(RequestError.missingServerProvider.errorKey == "MissingServerProvider")
    }
}
