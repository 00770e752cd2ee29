import Foundation
import PewPew
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The legacy requests and responses", .timeLimit(.minutes(10)))
struct LegacyMessageTests {
    private struct Event: Codable, Equatable { var date = Date(timeIntervalSince1970: 0) }

    private final class Provider: ServerProvider {
        let baseURL: URL

        init(_ baseURL: URL) { self.baseURL = baseURL }
    }

    private func text(_ data: Data?) -> String? { data.flatMap { String(bytes: $0, encoding: .utf8) } }

    @Test("setJSONBody writes dates by the strategy it is given, and by RFC 3339 without one")
    func dates() throws {
        var request = BasicRequest(method: .post, path: "/events")
        try request.setJSONBody(encodable: Event())
        #expect(text(request.httpBody) == #"{"date":"1970-01-01T00:00:00Z"}"#)
        try request.setJSONBody(Event(), dateEncodingStrategy: .secondsSince1970)
        #expect(text(request.httpBody) == #"{"date":0}"#)
        #expect(request.headers == ["Content-Type": "application/json"])
    }

    @Test("Bodies of text and of JSON objects, and the Content-Type that goes with them")
    func bodies() throws {
        var request = BasicRequest(method: .post, path: "/users", headers: ["content-type": "text/x"])
        request.setHTTPBody(string: "a")
        #expect(text(request.httpBody) == "a")
        request.setJSONBody(string: "[]", encoding: .utf8)
        #expect(request.headers == ["content-type": "text/x"])
        request.headers = [:]
        for (text, encoding) in [("é", String.Encoding.ascii), ("é\u{200B}", .windowsCP1250)] {
            request.setHTTPBody(string: "a")
            request.setHTTPBody(string: text, encoding: encoding)
            #expect(request.httpBody == nil)
        }
        try request.setHTTPBody(jsonObject: ["name": nil])
        #expect(request.headers == ["Content-Type": "application/json"])
        try request.setJSONBody(jsonObject: ["id": "123"])
        #expect(text(request.httpBody) == #"{"id":"123"}"#)
        try request.setHTTPBody(jsonArray: [["name": nil], [:]])
        #expect(text(request.httpBody) == #"[{"name":null},{}]"#)
        #expect(throws: (any Error).self) { try request.setJSONBody(jsonArray: [["date": Date()]]) }
        try request.setJSONBody(jsonArray: [])
        #expect(text(request.httpBody) == "[]")
        try request.setJSONBody(jsonObject: ["id": "123"])
        #expect(throws: (any Error).self) { try request.setJSONBody(jsonObject: ["date": Date()]) }
        #expect(text(request.httpBody) == #"{"id":"123"}"#)
    }

    @Test("The path replaces that of the base URL, and no query items are no query")
    @MainActor
    func urls() throws {
        let provider = Provider(try #require(URL(string: "https://example.com/api?x=y")))
        var request = BasicRequest(method: .put, path: "/a b", headers: ["A": "b"])
        request.httpBody = Data("body".utf8)
        #expect(try provider.url(from: request).absoluteString == "https://example.com/a%20b")
        request.queryItems = [URLQueryItem(name: "a", value: "b c")]
        let urlRequest = try provider.urlRequest(from: request)
        #expect(urlRequest.url?.absoluteString == "https://example.com/a%20b?a=b%20c")
        #expect(urlRequest.httpMethod == "PUT")
        #expect(urlRequest.value(forHTTPHeaderField: "a") == "b")
        #expect(text(urlRequest.httpBody) == "body")
    }

    @Test("A multipart request has its texts and its file, their names escaped, and states length and boundary")
    func multipart() throws {
        var request = MultiPartRequest(method: .post, path: "/photos")
        request.setHTTPBody(
            file: Data("JPEG".utf8), fileName: "a\"b.jpg", mimeType: "image/jpeg", parameters: ["b": "2", "a": "1"])
        let contentType = try #require(request.headers["Content-Type"])
        let prefix = "multipart/form-data; boundary="
        #expect(contentType.hasPrefix(prefix))
        let boundary = contentType.dropFirst(prefix.count)
        let body = try #require(text(request.httpBody))
        #expect(
            body == """
                --\(boundary)\r
                Content-Disposition: form-data; name="a"\r
                \r
                1\r
                --\(boundary)\r
                Content-Disposition: form-data; name="b"\r
                \r
                2\r
                --\(boundary)\r
                Content-Disposition: form-data; name="file"; filename="a%22b.jpg"\r
                Content-Type: image/jpeg\r
                \r
                JPEG\r
                --\(boundary)--\r

                """)
        #expect(request.headers["Content-Length"] == String(body.utf8.count))
        let before = request.headers
        request.setHTTPBody(parameters: ["a": "1"])
        #expect(request.headers != before)
        request.setHTTPBody(file: Data(), fileFieldName: "f", fileName: "x", mimeType: "a\r\nb: c")
        #expect(text(request.httpBody)?.contains("Content-Type: application/octet-stream\r\n") == true)
    }

    @Test("A form replaces the headers of its body in any spelling, as the boundary must be that of the body")
    func multipartHeaders() throws {
        var request = MultiPartRequest(method: .post, path: "/photos")
        request.headers = ["content-type": "multipart/form-data", "CONTENT-LENGTH": "1", "a": "b"]
        request.setHTTPBody(parameters: ["a": "1"])
        #expect(request.headers.keys.sorted() == ["Content-Length", "Content-Type", "a"])
        let boundary = try #require(request.headers["Content-Type"]?.split(separator: "=").last)
        #expect(text(request.httpBody)?.hasPrefix("--\(boundary)\r\n") == true)
    }

    private func response(_ data: Data?, _ statusCode: StatusCode = .ok) throws -> Response<Data?> {
        let url = try #require(URL(string: "https://example.com"))
        let head = try #require(
            HTTPURLResponse(url: url, statusCode: statusCode.rawValue, httpVersion: nil, headerFields: nil))
        return Response(
            data: data, httpResponse: head, urlRequest: URLRequest(url: url), statusCode: statusCode,
            error: statusCode.makeError(cause: nil))
    }

    @Test("Decoding wraps every error in a SerializationError")
    func decoding() throws {
        let dated = try response(Data(#"{"date":"1970-01-01T00:00:00Z"}"#.utf8))
        #expect(try dated.decode(Event.self) == Event())
        #expect(
            try response(Data(#"{"date":0}"#.utf8)).decode(Event.self, dateDecodingStrategy: .secondsSince1970)
                == Event())
        let wrong = #expect(throws: SerializationError.self) { try dated.decode([Event].self) }
        guard case .failedToDecodeResponseData(let cause)? = wrong else {
            Issue.record("\(String(describing: wrong))")
            return
        }
        #expect(cause is DecodingError)
        #expect(wrong?.errorKey == "InvalidObject")
        #expect(throws: SerializationError.self) { try response(Data([0xFF])).decodeString(encoding: .utf8) }
        let roman = try response(Data([0x61, 0x8E, 0xB9, 0xDF]))
        #expect(try roman.decodeString(encoding: .macOSRoman) == "aéπ\u{FB02}")
        for data in [nil, Data()] {
            let empty = #expect(throws: SerializationError.self) { try response(data).unwrapData() }
            #expect(empty?.errorKey == "EmptyResponse")
        }
        dated.debug()
    }

    @Test("What is printed has no control characters of a server, but its line feeds and tabs")
    func printed() throws {
        let url = try #require(URL(string: "https://example.com"))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data("\u{1B}[2J".utf8)
        let head = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["A": "b\u{1B}[2J"]))
        let response = Response<Data?>(
            data: Data("a\tb\r\n\u{1B}]0;c\u{7}\u{9B}d".utf8), httpResponse: head, urlRequest: request,
            statusCode: .ok, error: nil)
        #expect(response.requestText == "REQUEST [POST] https://example.com\n\\u{1B}[2J")
        let body = "a\tb\\r\n\\u{1B}]0;c\\u{07}\\u{009B}d"
        #expect(response.responseText == "RESPONSE [200] https://example.com\nA: b\\u{1B}[2J\n" + body)
    }

    @Test("What is printed has no secrets, and of a body that isn't UTF-8 the number of bytes")
    func printedWithoutSecrets() throws {
        let url = try #require(URL(string: "https://example.com/a?page=1&token=hidden"))
        var request = URLRequest(url: url)
        request.setValue("hidden", forHTTPHeaderField: "X-Api-Key")
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("user=a&password=hidden".utf8)
        let head = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Set-Cookie": "a=hidden"]))
        func response(_ data: Data) -> Response<Data?> {
            Response(data: data, httpResponse: head, urlRequest: request, statusCode: .ok, error: nil)
        }
        let json = response(Data(#"{"id":1,"refreshToken":"hidden"}"#.utf8))
        for text in [json.requestText, json.responseText] {
            #expect(text.contains("page=1") && !text.contains("hidden"))
        }
        #expect(json.requestText.contains("user=a") && json.responseText.contains(#""id":1"#))
        #expect(response(Data([0xFF, 0xFE, 0xFD])).responseText.hasSuffix("\n3 bytes"))
    }

    /// All texts that the standard library makes of a value.
    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped, "\([value])"]
    }

    @Test("No text of a request, a response or an error shows a header, or a secret of the URL")
    func describedWithoutSecrets() async throws {
        let url = try #require(URL(string: "https://user:hidden@example.com/a?page=1&token=hidden"))
        let cause = URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url])
        let error = ResponseError.notFound(cause: cause)
        var request = URLRequest(url: url)
        request.setValue("Bearer hidden", forHTTPHeaderField: "Authorization")
        let head = try #require(
            HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: ["Set-Cookie": "a=hidden"]))
        let response = Response<Data?>(
            data: Data("abc".utf8), httpResponse: head, urlRequest: request, statusCode: .notFound, error: error)
        let success = SuccessResponse<Int>(data: 1, response: response)
        let failed = ErrorResponse<Int>(data: 1, response: response, error: error)
        let failure = await #expect(throws: PromiseFailure<ErrorResponse<Int>>.self) {
            try await Promise<Int, ErrorResponse<Int>>(action: { $0.fail(with: failed) }).value
        }
        let text = "GET https://<redacted>@example.com/a?page=1&token=<redacted>, 404"
        #expect("\(response)" == "Response<Optional<Data>>(\(text), Optional(3 bytes))")
        #expect("\(success)" == "SuccessResponse<Int>(\(text), 1)" && "\(failed)" == "ErrorResponse<Int>(\(text), 1)")

        var basic = BasicRequest(
            method: .get, path: "/a", queryItems: [URLQueryItem(name: "token", value: "hidden")],
            headers: ["Authorization": "Bearer hidden"])
        #expect("\(basic)" == "BasicRequest(GET /a?token=<redacted>, 1 header)")
        basic.httpBody = Data("hidden".utf8)
        var form = MultiPartRequest(method: .post, path: "/a")
        form.httpBody = basic.httpBody
        #expect("\(form)" == "MultiPartRequest(POST /a, 6 bytes)")

        let thrown = try #require(failure)
        let values: [Any] = [
            response, success, failed, thrown, basic, form, error, RequestError.invalidURL(cause: cause),
            SerializationError.failedToDecodeResponseData(cause: cause),
        ]
        for text in values.flatMap({ texts(of: $0) }) { #expect(!text.contains("hidden"), "\(text)") }
        #expect("\(error)" == "NotFound: \(cause.localizedDescription)")
    }

    @Test("The text of an error says what can't be decoded, or which request has failed, with which status")
    func describedFailures() async throws {
        let wrong = #expect(throws: SerializationError.self) { try response(Data("{}".utf8)).decode(Event.self) }
        let undecodable = try #require(wrong)
        #expect("\(undecodable)" == "InvalidObject: no value for key 'date' at the top level")

        let missing = try response(nil, .notFound)
        let failed = ErrorResponse<Data?>(data: nil, response: missing, error: .notFound(cause: nil))
        let failure = await #expect(throws: PromiseFailure<ErrorResponse<Data?>>.self) {
            try await Promise<Int, ErrorResponse<Data?>>(action: { $0.fail(with: failed) }).value
        }
        let thrown = try #require(failure)
        #expect("\(thrown)" == "PromiseFailure: GET https://example.com, 404, NotFound")
    }

    @Test("Success and error responses take over the parts of another one")
    func conversion() throws {
        let response = try response(nil, .notFound)
        let error = try #require(response.error)
        let success = SuccessResponse<[Int]>(data: [1], response: response)
        #expect(success.statusCode == .notFound)
        let failed = ErrorResponse<Data?>(data: nil, response: response, error: error)
        let parsed = ErrorResponse<Int>(data: 7, response: failed)
        #expect(parsed.data == 7)
        #expect(parsed.error.errorKey == "NotFound")
    }

    @Test("A status has its named error, or else that of its class; each has its own key")
    func statusCodes() {
        let expected: [(Int, String?)] = [
            (200, nil), (301, nil), (100, nil), (400, "BadRequest"), (401, "Unauthorized"), (403, "Forbidden"),
            (404, "NotFound"), (409, "Conflict"), (422, "UnprocessableEntity"), (418, "OtherClientError"),
            (500, "InternalServerError"), (503, "ServiceUnavailable"), (502, "OtherServerError"), (999, "Unknown"),
        ]
        for (number, key) in expected {
            #expect(StatusCode(rawValue: number).makeError(cause: nil)?.errorKey == key)
        }
        guard case .unknown(let cause)? = StatusCode.ok.makeError(cause: Mishap()) else {
            Issue.record("no error for a cause")
            return
        }
        #expect(cause is Mishap)
    }
}
