import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests in one expression", .timeLimit(.minutes(10)))
struct RequestExpressionTests {
    private struct Draft: Codable, Equatable {
        var title = "a&b"
        var date = Date(timeIntervalSince1970: 0)
        var rating = 1.0
    }

    private let url: URL

    init() throws {
        url = try URL(fixture: "https://a.com/posts?token=secret")
    }

    @Test("A URLRequest with headers, of which the last of one name counts")
    func headers() throws {
        let request = try URLRequest(url: url, method: .delete, headers: ["B": "1", "b": "2", "A": "a\tb"])
        #expect(request.url == url && request.httpMethod == "DELETE" && request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "b") == "2")
        #expect(request.value(forHTTPHeaderField: "a") == "a\tb")
        #expect(try URLRequest(url: url, method: .get, headers: [:]) == URLRequest(url: url, method: .get))
    }

    @Test("A URLRequest with JSON and with a form")
    func bodies() throws {
        let json = try URLRequest(url: url, method: .post, json: Draft())
        #expect(json.httpMethod == "POST" && json.url == url)
        #expect(json.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(try JSONDecoder().decode(Draft.self, from: try #require(json.httpBody)) == Draft())
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let type = ["content-type": "application/vnd.api+json"]
        let encoded = try URLRequest(url: url, method: .put, headers: type, json: ["d": Draft().date], encoder: encoder)
        #expect(encoded.httpBody.text == #"{"d":0}"#)
        #expect(encoded.value(forHTTPHeaderField: "Content-Type") == "application/vnd.api+json")
        let form = try URLRequest(url: url, method: .post, headers: ["X": "1"], form: ["b": "c+d", "a": ""])
        #expect(form.httpBody.text == "b=c%2Bd&a=")
        #expect(form.value(forHTTPHeaderField: "Content-Type") == URLEncodedForm.contentType)
        #expect(form.value(forHTTPHeaderField: "X") == "1")
        let typed = try URLRequest(url: url, method: .post, headers: ["CONTENT-TYPE": "a/b"], form: [:])
        #expect(typed.value(forHTTPHeaderField: "Content-Type") == "a/b" && typed.httpBody == Data())
    }

    private static let invalid: [(headers: [String: String], error: @Sendable (URL) -> InvalidRequestError)] = [
        (["X": "a\r\nY: b"], { .invalidHeaderValue(name: "X", url: $0) }),
        (["X": "\0"], { .invalidHeaderValue(name: "X", url: $0) }),
        (["X Y": "a"], { .invalidHeaderName("X Y", url: $0) }),
        (["Z": "\n", "": "a"], { .invalidHeaderName("", url: $0) }),
    ]

    @Test("A header that would be none, or several, is an error", arguments: invalid.indices)
    func invalidHeaders(index: Int) throws {
        let headers = Self.invalid[index].headers, error = Self.invalid[index].error(url)
        #expect(throws: error) { try URLRequest(url: url, method: .get, headers: headers) }
        #expect(throws: error) { try URLRequest(url: url, method: .post, headers: headers, json: Draft()) }
        #expect(throws: error) { try URLRequest(url: url, method: .post, headers: headers, form: ["a": "b"]) }
        let json = try BasicRequest(method: .post, path: "posts", headers: headers, json: Draft())
        let form = BasicRequest(method: .post, path: "posts", headers: headers, form: ["a": "b"])
        for request in [json, form] {
            #expect(throws: InvalidRequestError.self) { try request.urlRequest(withBaseURL: url) }
        }
    }

    @Test("A value that is no JSON is an error that names the request")
    func invalidJSON() throws {
        let error = try #require(throws: RequestBodyError.self) {
            try URLRequest(url: url, method: .post, json: Draft(rating: .nan))
        }
        #expect(error.codingPath == "rating" && error.request?.hasPrefix("POST https://a.com/posts") == true)
        #expect(!error.localizedDescription.contains("secret"))
        let basic = try #require(throws: RequestBodyError.self) {
            try BasicRequest(method: .post, path: "posts", json: Draft(rating: .nan))
        }
        #expect(basic.codingPath == "rating" && basic.request == #"POST "posts""#)
    }

    @Test("A BasicRequest with JSON and with a form")
    func basic() throws {
        let items = [URLQueryItem(name: "q", value: "1")], base = try URL(fixture: "https://a.com/api")
        let json = try BasicRequest(
            method: .post, path: "posts", queryItems: items, headers: ["X": "1"], basePath: .kept, json: ["a": 1])
        let sent = try json.urlRequest(withBaseURL: base)
        #expect(sent.url?.absoluteString == "https://a.com/api/posts?q=1" && sent.httpMethod == "POST")
        #expect(sent.httpBody.text == #"{"a":1}"# && sent.value(forHTTPHeaderField: "X") == "1")
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let form = BasicRequest(
            method: .put, path: "login", queryItems: items, headers: ["content-type": "a/b"], basePath: .kept,
            form: ["a": "b c"])
        #expect(form.httpBody.text == "a=b+c" && form.headers == ["content-type": "a/b"])
        #expect(try form.url(withBaseURL: base).absoluteString == "https://a.com/api/login?q=1")
        let plain = BasicRequest(method: .post, path: "login", form: ["a": "b"])
        #expect(plain.basePath == .replaced && plain.headers == ["Content-Type": URLEncodedForm.contentType])
    }

    @Test("In the closure of a dispatcher the whole exchange is one expression")
    func expression() async throws {
        let mock = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, jsonString: request.httpBody.text ?? "", statusCode: .ok)
        }
        let url = url
        let post = try await mock.dataFuture { try URLRequest(url: url, method: .post, json: Draft()) }
            .validated().decoded(Draft.self).value.data
        #expect(post == Draft())
        let failing = mock.dataFuture { try URLRequest(url: url, method: .post, json: Draft(rating: .infinity)) }
        await #expect(throws: RequestBodyError.self) { try await failing.value }
    }
}
