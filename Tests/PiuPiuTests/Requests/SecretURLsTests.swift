import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Secrets of URLs in JSON", .timeLimit(.minutes(10)))
struct SecretURLsTests {
    private func redacted(
        _ text: String, _ purpose: SecretBody.Purpose = .responseText, by redaction: HeaderRedaction = .secrets,
        type: String = "application/json"
    ) -> String {
        SecretBody.redacted(text, contentType: type, by: redaction, for: purpose)
    }

    private static let purposes = [SecretBody.Purpose.requestText, .responseText, .request, .response]

    @Test(
        "The secrets of a URL in a string become <redacted>, and all else stays as it was",
        arguments: [
            (
                #"{"next":"https://api.example.com/feed?access_token=S3CRET&page=2"}"#,
                #"{"next":"https://api.example.com/feed?access_token=<redacted>&page=2"}"#
            ),
            (#"{ "url" : "https://u:p@host/…" , "n":1.50}"#, #"{ "url" : "https://<redacted>@host/…" , "n":1.50}"#),
            (#"["https://a@b:c@h","http://h:80/a@b"]"#, #"["https://<redacted>@h","http://h:80/a@b"]"#),
            (
                #"["https://h/k?X-Amz-Credential=A%2F1&X-Amz-Date=2&X-Amz-Signature=3"]"#,
                #"["https://h/k?X-Amz-Credential=<redacted>&X-Amz-Date=2&X-Amz-Signature=<redacted>"]"#
            ),
            (#"["https://h/b?sv=1&sig=s%3D","b"]"#, #"["https://h/b?sv=1&sig=<redacted>","b"]"#),
            (#"["/cb#access_token=s&a=b","a?token=s"]"#, #"["/cb#access_token=<redacted>&a=b","a?token=<redacted>"]"#),
            (#"["/#/cb?code=s&state=x"]"#, #"["/#/cb?code=<redacted>&state=x"]"#),
            (#"["?a=1&token=s", "?b"]"#, #"["?a=1&token=<redacted>", "?b"]"#),
            (##"["#token=s","#a"]"##, ##"["#token=<redacted>","#a"]"##),
            (#"["a=1&token=s","token=s&a=1"]"#, #"["a=1&token=<redacted>","token=<redacted>&a=1"]"#),
            (#"["/a?b=1;token=s&c=d"]"#, #"["/a?b=1;token=<redacted>&c=d"]"#),
            (#"["/?%74oken=s&a=b","/?tok"#, #"["/?%74oken=<redacted>&a=b","/?tok"#),
            (#"["GET /a?token=s HTTP/1.1"]"#, #"["GET /a?token=<redacted> HTTP/1.1"]"#),
            (#"["see h.com/a?pin=1\nand"]"#, #"["see h.com/a?pin=<redacted>\nand"]"#),
            (#"["<https://h/?token=s>; rel=a"]"#, #"["<https://h/?token=<redacted>>; rel=a"]"#),
            (#"["no 'https://h/?token=s' now"]"#, #"["no 'https://h/?token=<redacted>' now"]"#),
            // Characters that aren't encoded, although they should be.
            (#"["/?q=it's<b>&token=a'b&c=d"]"#, #"["/?q=it's<b>&token=<redacted>&c=d"]"#),
            (#"["https://u:p'w@h/"]"#, #"["https://<redacted>@h/"]"#),
            // URLs in URLs.
            (#"["/login?next=%2Freset%3Ftoken%3Ds&b=c"]"#, #"["/login?next=<redacted>&b=c"]"#),
            (#"["/login?u=https://x/b?code%3Ds&c=d"]"#, #"["/login?u=https://x/b?<redacted>&c=d"]"#),
            (#"["https%3A%2F%2Fh%2F%3Ftoken%3Ds"]"#, #"["<redacted>"]"#),
            (#"["/a?u=https://u:p@h/b&c=d"]"#, #"["/a?u=https://<redacted>@h/b&c=d"]"#),
            (#"["/a?u=https://u:p@h/%3Fpin%3D1&c=d"]"#, #"["/a?u=https://<redacted>&c=d"]"#),
            (#"["/a?token=https://u:p@h/?x;y=1&c=d"]"#, #"["/a?token=<redacted>&c=d"]"#),
            (#"["/a?p=%7B%22token%22%3A+%22s%22%7D&b=c"]"#, #"["/a?p=<redacted>&b=c"]"#),
            // Cut.
            (#"{"next":"https://h/?token=ab"#, #"{"next":"https://h/?token=<redacted>"#),
        ])
    func urls(text: String, expected: String) {
        for purpose in Self.purposes { #expect(redacted(text, purpose) == expected) }
        #expect(redacted(expected) == expected)
        #expect(redacted(text, by: .none) == text)
        #expect(redacted(text, by: HeaderRedaction(["x-ours"])) == text)
    }

    @Test(
        "Escapes of JSON count as their characters, also in JSON in a string, and stay whole",
        arguments: [
            (
                #"{"a":"https:\/\/u:p@h:80\/b?c=1\u0026sig=s\u0026d=e"}"#,
                #"{"a":"https:\/\/<redacted>@h:80\/b?c=1\u0026sig=<redacted>\u0026d=e"}"#
            ),
            (#"{"a":"\/?s\u0069g\u003ds\u0026b"}"#, #"{"a":"\/?s\u0069g\u003d<redacted>\u0026b"}"#),
            (#"{"a":"/?token=\u00e9\/\\\ud83d\ude00\n"}"#, #"{"a":"/?token=<redacted>\n"}"#),
            (#"{"a":"/?b=1\u0026token=s\u0022"}"#, #"{"a":"/?b=1\u0026token=<redacted>\u0022"}"#),
            (#"{"a":"/?token=s\\"}"#, #"{"a":"/?token=<redacted>\\"}"#),
            (
                #"{"log":"{\"url\":\"https://u:p@h/?a=b&token=s\",\"c\":1}"}"#,
                #"{"log":"{\"url\":\"https://<redacted>@h/?a=b&token=<redacted>\",\"c\":1}"}"#
            ),
            (
                #"{"log":"{\"url\":\"https:\\\/\\\/u:p@h\\\/?sig=s\\u0026a=b\"}"}"#,
                #"{"log":"{\"url\":\"https:\\\/\\\/<redacted>@h\\\/?sig=<redacted>\\u0026a=b\"}"}"#
            ),
            (
                #"{"a":"{\"b\":\"{\\\"url\\\":\\\"/?token=s\\\"}\"}"}"#,
                #"{"a":"{\"b\":\"{\\\"url\\\":\\\"/?token=<redacted>\\\"}\"}"}"#
            ),
        ])
    func escapes(text: String, expected: String) throws {
        for purpose in Self.purposes { #expect(redacted(text, purpose) == expected) }
        #expect(redacted(expected) == expected)
        _ = try JSONSerialization.jsonObject(with: Data(expected.utf8))
    }

    @Test(
        "What is no URL and no query stays",
        arguments: [
            #"["a question? code = 5"]"#, #"["is it ok?\ncode=5"]"#, #"["what now?code=5"]"#, #"["code=5"]"#,
            #"["no&code=5 or #1; pin=4"]"#, #"["x;key=5"]"#, #"["AT&T"]"#, #"["<b>x</b>&nbsp;code=5"]"#,
            #"["//a?:#&;=@%"]"#, #"["me@h.com, 5:00 // x@y"]"#, #"["https://h/?token=&a=b"]"#,
            #"["https://h/?page=2&pageToken=3"]"#, #"["https://h/a@b?c=d@e&f=%2Fg%3Fh%3Di"]"#, #"["100%?","%ZZ"]"#,
            "x=a?key=b:c;code=d", "a=1&token=s",
        ])
    func unharmed(text: String) {
        for purpose in Self.purposes { #expect(redacted(text, purpose) == text) }
    }

    @Test("The same holds for URLs in other texts")
    func otherTexts() {
        let html = #"<a href="/a?b=1&amp;token=s&amp;c=d">x</a> https://u:p@h/"#
        let shown = #"<a href="/a?b=1&amp;token=<redacted>&amp;c=d">x</a> https://<redacted>@h/"#
        #expect(redacted(html, type: "text/html") == shown)
        let xml = "<loc>https://h/?token=s</loc><at>/a;sid=1</at>"
        #expect(redacted(xml, type: "text/xml") == "<loc>https://h/?token=<redacted></loc><at>/a;sid=<redacted></at>")
    }

    @Test("Without Authorization among the names only theirs are left out")
    func ownNames() {
        let text = #"["https://u:p@h/?token=s&iban=1"]"#
        #expect(redacted(text, by: HeaderRedaction(["iban"])) == #"["https://u:p@h/?token=s&iban=<redacted>"]"#)
    }

    @Test("In the response of a recording the path stays, so that a replay finds what it leads to")
    func paths() {
        let text = #"["/a;jsessionid=1;v=2/b?sid=s"]"#
        #expect(redacted(text, .response) == #"["/a;jsessionid=1;v=2/b?sid=<redacted>"]"#)
        for purpose in Self.purposes where purpose != .response {
            #expect(redacted(text, purpose) == #"["/a;jsessionid=<redacted>;v=2/b?sid=<redacted>"]"#)
        }
    }

    @Test(
        "A body that is cut anywhere shows no part of a password",
        arguments: [nil, "text/plain", "application/json"])
    func cutJSON(type: String?) throws {
        let url = "postgres://admin:hunter2hunter2@db.internal/x"
        let encoded = "/?u=postgres%3A%2F%2Fadmin%3Ahunter2%40db&a=b"
        for text in [url, url.replacing("/", with: "\\/"), "/?u=\(url)&a=b", encoded] {
            try checkCuts(#"{"pad":"…","db":"\#(text)","token":"hunterX"}"#, type: type)
        }
    }

    @Test("So does a form, and a part of a multipart form")
    func cutForms() throws {
        let type = "application/x-www-form-urlencoded"
        try checkCuts("pad=…&db=postgres://admin:hunter2hunter2@db.internal/x&token=hunterX", type: type)
        for escape in ["%3A%2F%2Fadmin%3Ahunter2%40db%2Fx", "%253A%252F%252Fadmin%253Ahunter2%2540db%252Fx"] {
            try checkCuts("pad=a&db=postgres\(escape)&token=hunterX", type: type)
        }
        let part = "--b\r\nContent-Disposition: form-data; name=\"db\"\r\n\r\npostgres://admin:hunter2@db\r\n"
        try checkCuts(part + part + "--b--\r\n", type: "multipart/form-data; boundary=b")
    }

    /// Cuts the body of a request and of a response at each byte.
    private func checkCuts(_ text: String, type: String?) throws {
        var request = URLRequest(url: try url("https://example.com/"), method: .post)
        request.httpBody = Data(text.utf8)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        let headers = type.map { ["Content-Type": $0] } ?? [:]
        let response = Response.makeMockResponse(
            with: request, data: Data(text.utf8), statusCode: .ok, headers: headers)
        for limit in 0...text.utf8.count {
            let shown = [
                response.makeRequestMarkdown(bodyLimit: limit), response.makeResponseMarkdown(bodyLimit: limit),
            ]
            for shown in shown { #expect(!shown.contains("hunter"), "\(limit): \(shown)") }
        }
        for length in 0..<text.utf8.count {
            var excerpt = BodyExcerpt(isPart: true)
            excerpt.append(Data(text.utf8.prefix(length)))
            // The text of an error doesn't decode the values of URLs.
            #expect(text.contains("%") || !excerpt.shown.contains("hunter"), "\(length): \(excerpt.shown)")
        }
    }

    @Test("Of a text that is cut only what may be a password is left out")
    func cutURLs() {
        for (text, shown) in [
            ("see https://example.com/a", "see https://example.com/a"), ("https://example", "https://<redacted>"),
            ("https://u:p@h", "https://<redacted>"), ("https://h/?a=b", "https://h/?a=b"), ("//x y", "//x y"),
            ("/?a=%41", "/?a=%41"), ("a@b https:/", "a@b https:/"), ("https://h?a", "https://h?a"),
        ] {
            let body = SecretBody.redacted(
                Data(text.utf8), contentType: "text/plain", by: .secrets, for: .responseText, isCut: true)
            #expect(String(decoding: body, as: UTF8.self) == shown)
        }
    }

    @Test("Hostile texts take linear time")
    func hostile() {
        for piece in [
            "?", "&", "=", "?token", "?a=", ";key=", "\\", "\\u0026", "://", "https://@", "/?a=%", "'", "%253F", "<",
        ] {
            let text = "\"" + String(repeating: piece, count: 10_000)
            #expect(redacted(text).hasPrefix("\""))
        }
    }

    @Test("Neither curl() nor the Markdown of a request or a response shows them")
    func texts() throws {
        let body = #"{"next":"https://u:s3cret@example.com/feed?access_token=s3cret\u0026page=2"}"#
        let shown = #"{"next":"https://<redacted>@example.com/feed?access_token=<redacted>\u0026page=2"}"#
        var request = URLRequest(url: try url("https://example.com/"), method: .post)
        request.setJSONBody(string: body)
        let response = Response.makeMockResponse(with: request, data: Data(body.utf8), statusCode: .ok)
        for text in [request.curl(), response.makeRequestMarkdown(), response.makeResponseMarkdown()] {
            #expect(text.contains(shown) && !text.contains("s3cret"), "\(text)")
        }
        #expect(request.curl(redacting: .none).contains(body))
    }
}
