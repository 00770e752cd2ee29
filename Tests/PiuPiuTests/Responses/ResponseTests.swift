import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Response and HTTPResponse", .timeLimit(.minutes(10)))
struct ResponseTests {
    @Test("STATUS: a 404 becomes an HTTPResponse with its body and httpError")
    func notFound() throws {
        let response = try fixtureResponse("gone fishing", statusCode: .notFound).makeHTTPResponse()
        #expect(response.statusCode == .notFound)
        #expect(response.httpError == .clientError(.notFound))
        #expect(try response.decodeString() == "gone fishing")
        #expect(try fixtureResponse(nil).makeHTTPResponse().httpError == nil)
    }

    @Test("The status, a known one or not; none without HTTP")
    func status() throws {
        #expect(try fixtureResponse(nil, statusCode: .created).status == .created)
        #expect(try fixtureResponse(nil, statusCode: .other(299)).status == .other(299))
        #expect(try fixtureResponse(nil, statusCode: .notFound).makeHTTPResponse().status == .notFound)
        #expect(try fixtureFileResponse("[]").status == nil)
    }

    @Test("A response by another protocol is no HTTPResponse")
    func notHTTP() throws {
        let response = try fixtureFileResponse("[]")
        #expect(throws: ResponseError.notHTTPResponse) { try response.makeHTTPResponse() }
        #expect(throws: ResponseError.notHTTPResponse) { try HTTPResponse(response: response, data: 1) }
    }

    @Test("A response made from another keeps its head and request")
    func fromAnother() throws {
        let response = try fixtureResponse("x", statusCode: .created)
        let number = Response(response: response, data: 1)
        #expect(number.data == 1)
        #expect(number.urlRequest == response.urlRequest)
        #expect(number.urlResponse === response.urlResponse)

        let http = try HTTPResponse(response: number, data: "one")
        #expect(http.data == "one")
        #expect(http.urlRequest == response.urlRequest)
        #expect(http.httpResponse === response.urlResponse)
        #expect(http.urlResponse === response.urlResponse)
        #expect(Response(response: http, data: 2).urlResponse === response.urlResponse)
    }

    @Test("The request of an HTTPResponse can be replaced, as in PiuPiu 1.x")
    func mutableRequest() throws {
        var response = try fixtureResponse(nil).makeHTTPResponse()
        response.urlRequest = try fixtureRequest("https://example.com/other")
        #expect(response.urlRequest.url?.path == "/other")
    }

    @Test("Headers are found whatever their case")
    func headers() throws {
        let response = try Response.makeMockResponse(
            with: fixtureRequest(), statusCode: .ok, headers: ["x-Rate-LIMIT": "7"]
        ).makeHTTPResponse()
        #expect(response.httpResponse.value(forHTTPHeaderField: "X-RATE-limit") == "7")
    }

    @Test("A line feed or a colon in the name of a field makes no other field")
    func fieldNames() throws {
        let fields = [("A\nSet-Cookie", "a=b"), ("Location: https://evil.example", "c"), ("D", "e\nF: g")]
        let head = TransferHead(url: try url("https://example.com"), status: 200, fields: fields)
        let response = try #require(head.urlResponse as? HTTPURLResponse)
        for name in ["A", "Set-Cookie", "Location", "F"] {
            #expect(head.values(for: name) == [])
            #expect(response.value(forHTTPHeaderField: name) == nil)
        }
        #expect(head.values(for: "D") == ["e F: g"])
        #expect(response.allHeaderFields.count == 3)
    }

    @Test("A redirect is printed without the secrets of its URL and its headers")
    func redirects() throws {
        let url = try url("https://user:word@example.com/a?token=s3cret")
        var request = URLRequest(url: url, method: .get)
        request.setValue("Bearer s3cret", forHTTPHeaderField: "Authorization")
        let head = TransferHead(url: url, status: 302, fields: [("Set-Cookie", "a=s3cret")])
        let redirect = TransferRedirect(urlRequest: request, head: head)
        let shown = "TransferRedirect(GET https://<redacted>@example.com/a?token=<redacted>, 302)"
        #expect("\(redirect)" == shown)
        #expect(String(reflecting: redirect) == shown)
        var text = ""
        dump([redirect], to: &text)
        #expect(text.contains("302") && !text.contains("s3cret") && !text.contains("word"))
    }

    @Test("SENDABLE: responses cross to another task")
    func sendable() async throws {
        let response = try fixtureResponse(#"{"id":1,"title":"a"}"#).makeHTTPResponse()
        let post = try await Task { try response.decoded(FixturePost.self) }.value
        #expect(post.data.id == 1)
    }

    @Test(
        "Every ResponseError has its legacy key and says what to do",
        arguments: [
            (ResponseError.noResponse, "NoResponse"), (.notHTTPResponse, "NotHTTPResponse"),
            (.unexpectedEmptyResponse, "UnexpectedEmptyResponse"),
            (.failedToDecodeDataToString(encoding: .ascii), "FailedToDecodeDataToString"),
        ])
    func errors(error: ResponseError, key: String) {
        #expect(error.errorKey == key)
        #expect(error.localizedDescription == error.errorDescription)
        #expect(error.localizedDescription.split(separator: ". ").count == 2)
    }
}
