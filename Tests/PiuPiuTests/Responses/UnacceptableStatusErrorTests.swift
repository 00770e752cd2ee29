import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("UnacceptableStatusError", .timeLimit(.minutes(10)))
struct UnacceptableStatusErrorTests {
    private func error(
        _ body: Data?, status: StatusCode = .notFound, url: String = "https://example.com/posts",
        headers: [String: String] = [:]
    ) throws -> UnacceptableStatusError {
        let request = try fixtureRequest(url)
        let response = Response.makeMockResponse(with: request, data: body, statusCode: status, headers: headers)
        return try #require(UnacceptableStatusError(response))
    }

    private func error(_ body: String) throws -> UnacceptableStatusError { try error(Data(body.utf8)) }

    /// The text after the status.
    private func shown(_ body: String) throws -> String {
        let text = try error(body).localizedDescription
        let start = "The server answered GET https://example.com/posts with 404 Not Found: "
        #expect(text.hasPrefix(start))
        return String(text.dropFirst(start.count))
    }

    @Test("It has method, URL, status, headers and the beginning of the body")
    func parts() throws {
        let url = "https://user:word@example.com/posts?token=secret#part"
        let error = try error(
            Data(#"{"error":"none"}"#.utf8), url: url, headers: ["Retry-After": "7", "Set-Cookie": "a=secret"])
        #expect(error.method == "GET")
        #expect(error.url?.absoluteString == url)
        #expect(error.statusCode == .notFound)
        #expect(error.httpError == .clientError(.notFound))
        #expect(error.headers["retry-after"] == "7")
        #expect(error.body == Data(#"{"error":"none"}"#.utf8))
        #expect(error.bodyText == #"{"error":"none"}"#)
        #expect(error.bodyLength == 16)
        #expect(
            error.localizedDescription
                == #"The server answered GET https://example.com/posts?… with 404 Not Found: {"error":"none"}"#)
        #expect(error.failureReason == HTTPError.clientError(.notFound).failureReason)
        #expect(error.recoverySuggestion == HTTPError.clientError(.notFound).recoverySuggestion)
    }

    @Test("An acceptable response makes none, nor does one without HTTP")
    func none() throws {
        #expect(UnacceptableStatusError(try fixtureResponse(nil)) == nil)
        #expect(UnacceptableStatusError(try fixtureResponse(nil, statusCode: .gone), unlessIn: [410]) == nil)
        #expect(UnacceptableStatusError(try fixtureFileResponse(nil), unlessIn: [Int]()) == nil)
    }

    @Test("Its text is one line without control characters, printed or not")
    func oneLine() throws {
        let html = "<html>\r\n  <h1>\u{2028}Not\tfound</h1>\n</html>\n"
        #expect(try shown(html) == "<html> <h1> Not found</h1> </html>")
        #expect(try shown("a\u{200E}b") == "a\u{200E}b")
        let error = try error(html)
        #expect("\(error)" == error.localizedDescription)
        #expect(String(reflecting: error) == error.localizedDescription)
        #expect(!"\([error])".contains { $0.isNewline })
    }

    @Test("A long body is cut: in its text after 500 characters, in memory after 1 MiB")
    func longBody() throws {
        let text = try shown(String(repeating: "é", count: 600))
        #expect(text == String(repeating: "é", count: 500) + "…")
        // The limit falls inside a character.
        let limit = 1 << 20
        let long = try error("x" + String(repeating: "é", count: limit / 2))
        #expect(long.body?.count == limit)
        #expect(long.bodyLength == Int64(limit + 1))
        #expect(long.bodyText?.utf8.count == limit - 1)
        #expect(try shown(String(repeating: " ", count: 5000)) == "…")
    }

    @Test("A body that isn't text is described by its length, and a missing one as missing")
    func otherBodies() throws {
        #expect(try error(Data([0xFF, 0xD8, 0, 7])).localizedDescription.hasSuffix("(4 bytes that are no text)"))
        #expect(try error(Data([0xFF])).bodyText == nil)
        #expect(try error(nil as Data?).localizedDescription.hasSuffix("404 Not Found: (no body)"))
        #expect(try error(nil as Data?).body == Data())
        #expect(try error(Data(count: 5000)).bodyText == nil)
    }

    @Test("Dates in its body follow the given strategy")
    func dates() throws {
        let response = try fixtureResponse(#"["1970-01-01T00:01:00.5Z"]"#, statusCode: .conflict)
        let error = try #require(UnacceptableStatusError(response.makeHTTPResponse()))
        let dates = try error.decode([Date].self, dateDecodingStrategy: .rfc3339)
        #expect(dates == [Date(timeIntervalSince1970: 60.5)])
        #expect(throws: ResponseDecodingError.self) { try error.decode([Date].self) }
    }

    @Test("A body that is no longer available is left out")
    func unknownBody() throws {
        let response = Response(response: try fixtureResponse("x", statusCode: .gone), data: 7)
        let error = try #require(throws: UnacceptableStatusError.self) { try response.validated() }
        #expect(error.body == nil && error.bodyText == nil && error.bodyLength == nil)
        #expect(error.localizedDescription == "The server answered GET https://example.com/posts with 410 Gone")
        let text = Response(response: response, data: "gone")
        #expect(throws: UnacceptableStatusError.self) { try text.validated() }
        #expect(UnacceptableStatusError(text)?.bodyText == "gone")
    }

    @Test("Where nothing is stored and the server wasn't asked, it doesn't say that the server has answered")
    func notStored() throws {
        var head = TransferHead(url: try url("https://example.com/posts"), status: 504)
        head.cacheStatus = CacheStatus(detail: "only-if-cached")
        let response = Response(data: Data?.none, urlRequest: try fixtureRequest(), head: head)
        let error = try #require(throws: UnacceptableStatusError.self) { try response.validated() }
        #expect(
            error.localizedDescription
                == "Nothing that is stored may answer GET https://example.com/posts, "
                + "which asks for a stored response only.")
        #expect(error.statusCode == .gatewayTimeout && error.failureReason == nil)
        #expect(error.recoverySuggestion?.contains("only-if-cached") == true)
    }

    @Test("A redirect or an informational status has advice of its own")
    func otherStatuses() throws {
        let error = try error(nil as Data?, status: .notModified)
        #expect(error.httpError == nil && error.failureReason == nil)
        #expect(error.recoverySuggestion?.contains("validated(200..<400)") == true)
    }

    @Test(
        "Secrets in a body are not shown",
        arguments: [
            (#"{"access_token": "abc123", "id": 7}"#, #"{"access_token": "<redacted>", "id": 7}"#),
            (#"{"password":"a\"bc123","id":7}"#, #"{"password":"<redacted>","id":7}"#),
            (#"{"Token":1234567,"id":7}"#, #"{"Token":"<redacted>","id":7}"#),
            (#"{"client_secret":"abc123"#, #"{"client_secret":"<redacted>""#),
            ("error=denied&access_token=abc123&id=7", "error=denied&access_token=<redacted>&id=7"),
            (
                "see https://a.b/c?code=abc123, sid=abc123;pin=abc123",
                "see https://a.b/c?code=<redacted> sid=<redacted>"
            ),
            ("authorization:Bearer abcdef0123456789abcdef", "authorization:Bearer <redacted>"),
            ("token=&id=7", "token=&id=7"),
            ("{\"token\": Bearer abcdef0123456789abcdef}", "{\"token\": \"<redacted>\" <redacted>}"),
            ("token=Bearer abcdef0123456789abcdef", "token=<redacted> <redacted>"),
            ("No such token: Bearer abcdef0123456789abcdef", "No such token: Bearer <redacted>"),
            (#"{"authorization":"Basic dXNlcjpwYXNzd29yZA=="}"#, #"{"authorization":"<redacted>"}"#),
            (#"{"title":"key = value","n":[1,2]}"#, #"{"title":"key = value","n":[1,2]}"#),
            ("Basic authentication required", "Basic authentication required"),
            ("Got:\n  X-Api-Key: abc123\r\nHost: a.b", "Got: X-Api-Key: <redacted> Host: a.b"),
            ("Authorization: Token abc123\nid: 7", "Authorization: <redacted> id: 7"),
            ("Authorization: Digest username=\"a\", response=\"abc123\"", "Authorization: <redacted>"),
            ("password:correct horse", "password:<redacted>"), ("token:\nid: 7", "token: id: 7"),
            ("code: not_found\ncode: 404\ncode: abc123", "code: not_found code: 404 code: <redacted>"),
            ("Failed (code: 404) with error code: E_X, twice", "Failed (code: 404) with error code: E_X, twice"),
            ("code: a, code: 4, code: b1, code: c", "code: a, code: 4, code: <redacted>"),
            ("error.code=a,error.code=b1,b", "error.code=a,error.code=<redacted>"),
            (#"{"a":"bad code: abc\" now"}"#, #"{"a":"bad code: abc\" now"}"#),
            ("<Code><![CDATA[a b]]><Code><![CDATA[b1 b]]>", "<Code><![CDATA[a b]]><Code><![CDATA[<redacted>]]>"),
            ("Code: 42 - try again", "Code: 42 - try again"),
            ("bad header X-Api-Key: abc123 here", "bad header X-Api-Key: <redacted>"),
            ("Wrong password: try again", "Wrong password: try again"),
            (
                #"{"a":"bad header X-Api-Key: abc123","message":"Invalid token: expired","id":7}"#,
                #"{"a":"bad header X-Api-Key: <redacted>","message":"Invalid token: expired","id":7}"#
            ),
            (#"{"a":"{\"b\":\"Token: abc123\"}"}"#, #"{"a":"{\"b\":\"Token: <redacted>\"}"}"#),
            ("<p>Token: abc123</p><b>Key: </b>", "<p>Token: <redacted></p><b>Key: </b>"),
            ("<a><Password>abc 123</Password></a>", "<a><Password><redacted></Password></a>"),
            ("<w:Password Type='b'>abc123</w:Password>", "<w:Password Type='b'><redacted></w:Password>"),
            ("<Token><![CDATA[abc<123]]></Token>", "<Token><![CDATA[<redacted>]]></Token>"),
            ("<Code>NoSuchKey</Code><Token/><Token></Token>", "<Code>NoSuchKey</Code><Token/><Token></Token>"),
            ("<Secret>abc123", "<Secret><redacted>"),
            ("<a password=\"abc 123\" id='7' pin='abc'/>", "<a password=\"<redacted>\" id='7' pin='<redacted>'/>"),
            (#"{"url":"https://a.b/?token=","id":7}"#, #"{"url":"https://a.b/?token=","id":7}"#),
            (
                #"{"url":"https://u:abc1@a.b/?c=d\u0026sig=abc1"}"#,
                #"{"url":"https://<redacted>@a.b/?c=d\u0026sig=<redacted>"}"#
            ),
            (#"failed for user="bob" password="abc 1""#, #"failed for user="bob" password="<redacted>""#),
            ("failed, password='abc1', pin: 'abc1' too", "failed, password='<redacted>', pin: '<redacted>' too"),
            (#"{user: "bob", password: "abc1", id: 7}"#, #"{user: "bob", password: "<redacted>", id: 7}"#),
            ("{'password': 'abc1', 'pin': 12, 'id': 7}", "{'password': '<redacted>', 'pin': <redacted>, 'id': 7}"),
            ("{'token': None, 'id': 7}", "{'token': None, 'id': 7}"),
            (#"{:password=>"abc1", "pin" => 12, :id=>7}"#, #"{:password=>"<redacted>", "pin" => <redacted> :id=>7}"#),
            ("password = abc1 in line 7", "password = <redacted> in line 7"),
            (#"if token == "abc1" { }"#, #"if token == "<redacted>" { }"#),
            (#"{"message":"password=\"abc1\" is wrong"}"#, #"{"message":"password=\"<redacted>\" is wrong"}"#),
            (#"{"message":"Give a token= ","id":7}"#, #"{"message":"Give a token= ","id":7}"#),
            (#"<a note="b>c" password="abc1"/>"#, #"<a note="b>c" password="<redacted>"/>"#),
            (#"<a password = "abc1" id="7"/>"#, #"<a password = "<redacted>" id="7"/>"#),
            (#"<a href="?token=">abc</a> <b>"abc"</b>"#, #"<a href="?token=">abc</a> <b>"abc"</b>"#),
            ("Invalid header Authorization: Basic dXNlcjpwYXNz", "Invalid header Authorization: <redacted>"),
            (#"{code: "not_found"} {code: "A1b2"}"#, #"{code: "not_found"} {code: "<redacted>"}"#),
        ])
    func secrets(body: String, expected: String) throws {
        #expect(try shown(body) == expected)
    }

    @Test("The text for a hostile body of 10,000 pieces is short, whatever the server sends")
    func hostileBodies() throws {
        for piece in [
            "\"", "\"a\":", "\"\\", "a=", "Bearer ", "{\"token\":\"", "=", "\"token\":\"\\\\", "token: ", "a token:",
            "token:\n", "<token>", "<token>a", "<", "<token><![CDATA[", "token=\"", "code:a ", "code: a,",
            "error.code=a,", "<code><![CDATA[a ",
        ] {
            let text = try shown(String(repeating: piece, count: 10_000))
            #expect(text.count <= 501)
        }
    }

    @Test("An error that names its request isn't wrapped in another one that does")
    func naming() throws {
        let response = try fixtureResponse(nil, statusCode: .gone)
        #expect(throws: UnacceptableStatusError.self) { try response.namingFailures { try $0.validated() } }
    }
}
