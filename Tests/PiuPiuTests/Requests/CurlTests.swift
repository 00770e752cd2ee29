import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Stores the last request as a command.
private struct CurlLog: RequestAdapter {
    let command = Box<String>()

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        command.value = urlRequest.curl()
        return urlRequest
    }
}

@Suite("Requests as curl commands", .timeLimit(.minutes(10)))
struct CurlTests {
    @Test("A request is shown with its headers in order and its body")
    func whole() throws {
        var request = URLRequest(url: try URL(fixture: "https://example.com/posts?a=1&b='"), method: .post)
        request.allHTTPHeaderFields = ["X-Blank": " \t", "X-Empty": "", "Accept": "it's"]
        request.setHTTPBody(string: "@it's\n$(x)")
        #expect(
            request.curl() == #"""
                curl --request 'POST' --url 'https://example.com/posts?a=1&b='\''' \
                    --header 'Accept: it'\''s' \
                    --header 'X-Blank;' \
                    --header 'X-Empty;' \
                    --header 'Content-Type:' \
                    --data-raw '@it'\''s
                $(x)'
                """#)
    }

    @Test("The method is written where curl would use another one")
    func methods() throws {
        func curl(_ method: HTTPMethod, body: String = "") throws -> String {
            var request = try fixtureRequest()
            request.httpMethod = method.rawValue
            request.httpBody = Data(body.utf8)
            return request.curl()
        }
        #expect(try curl(.get) == "curl --url 'https://example.com/posts'")
        #expect(try curl(.head) == "curl --head --url 'https://example.com/posts'")
        #expect(try curl(.delete) == "curl --request 'DELETE' --url 'https://example.com/posts'")
        let body = try curl(.get, body: "x")
        #expect(body.hasPrefix("curl --request 'GET' --url 'https://example.com/posts' \\\n"))
        #expect(body.hasSuffix(" \\\n    --data-raw 'x'"))
    }

    @Test("A path with segments of dots, also if they are encoded, stays as it is")
    func dotSegments() throws {
        for path in ["/a/../b", "/./a", "/a/..", "/a/.", "/a/%2e%2E/b", "/a/.%2e?b=c", "/%2E#d"] {
            let url = "https://example.com" + path
            #expect(try fixtureRequest(url).curl() == "curl --path-as-is --url '\(url)'")
        }
        for path in ["/a..b/.c/...", "/a?b=/../c", "/a#/./b", "/"] {
            let url = "https://example.com" + path
            #expect(try fixtureRequest(url).curl() == "curl --url '\(url)'")
        }
        let command = try fixtureRequest("https://[::1]/../a").curl()
        #expect(command == "curl --globoff --path-as-is --url 'https://[::1]/../a'")
    }

    @Test("The headers about the body are those that are sent, and curl adds none of its own")
    func headersOfTheBody() throws {
        var request = try fixtureRequest()
        request.allHTTPHeaderFields = ["Content-Length": "7", "Transfer-Encoding": "chunked"]
        #expect(request.curl() == "curl --url 'https://example.com/posts'")
        for method in [HTTPMethod.post, .put, .patch] {
            request.httpMethod = method.rawValue
            let command = "curl --request '\(method.rawValue)' --url 'https://example.com/posts' \\\n    --header '"
            request.httpBody = Data()
            #expect(request.curl() == command + "Content-Length: 0'")
            request.httpBody = Data("x".utf8)
            #expect(request.curl() == command + "Content-Type:' \\\n    --data-raw 'x'")
        }
        request.setValue("", forHTTPHeaderField: "Content-Type")
        #expect(!request.curl().contains("Content-Type:"))
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        #expect(request.curl().hasSuffix("--header 'Content-Type: text/plain' \\\n    --data-raw 'x'"))
        request.setValue(nil, forHTTPHeaderField: "Content-Type")
        request.httpBody = nil
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        #expect(request.curl().hasSuffix("--header 'Content-Type:' \\\n    --data-binary @-"))
    }

    @Test("The command of an upload, whose body is beside the request, announces no length")
    func upload() async throws {
        let server = try LoopbackServer.start(), log = CurlLog()
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral, requestAdapter: log)
        var request = server.request("/sink")
        request.httpMethod = "POST"
        var form = MultipartForm()
        form.append(text: "a", forName: "b")
        for future in [
            dispatcher.uploadFuture(from: request, with: Data(count: 10)),
            dispatcher.uploadFuture(from: request, withForm: form),
        ] {
            let response = try await future.value
            for command in [try #require(log.command.value), response.urlRequest.curl()] {
                #expect(command.hasPrefix("curl --request 'POST'") && !command.contains("Content-Length"))
            }
        }
        let length = try form.contentLength()
        #expect(server.requests(path: "/sink").map { $0.header("Content-Length") } == ["10", "\(length)"])
    }

    @Test("Secrets are redacted, unless they are asked for")
    func redaction() throws {
        var request = URLRequest(url: try URL(fixture: "https://user:pass@[::1]/?a=1&token=012"))
        request.allHTTPHeaderFields = [
            "authorization": "Bearer 123", "Cookie": "id=456", "X-Ours": "789", "Referer": "https://b.com/?token=012",
        ]
        let redacted = request.curl()
        for secret in ["012", "123", "456", "user", "pass"] { #expect(!redacted.contains(secret)) }
        #expect(redacted.contains("--header 'authorization: <redacted>'"))
        #expect(redacted.contains("--globoff --url 'https://<redacted>@[::1]/?a=1&token=<redacted>'"))
        #expect(redacted.contains("789"))
        let shown = request.curl(redacting: .none)
        for secret in ["123", "456", "789", "user:pass@", "1&token=012", "/?token=012"] {
            #expect(shown.contains(secret))
        }
        let own = request.curl(redacting: HeaderRedaction(["x-ours"]))
        #expect(own.contains("123") && own.contains("user:pass@") && !own.contains("789"))
    }

    @Test("A body that a terminal would act on goes through base64, and a stream through standard input")
    func binary() throws {
        var request = try fixtureRequest()
        request.httpMethod = "PUT"
        for body in [Data([0xFF]), Data("a\0".utf8), Data("\u{1B}[2J".utf8)] {
            request.httpBody = body
            #expect(request.curl().hasPrefix("printf %s '\(body.base64EncodedString())' | base64 -d | curl --request"))
            #expect(request.curl().hasSuffix("--data-binary @-"))
        }
        request.httpBody = nil
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        #expect(request.curl().hasSuffix("--data-binary @-"))
        #expect(!request.curl().contains("printf"))
    }

    @Test("A text that is too long for an argument goes through base64, too")
    func longText() throws {
        var request = try fixtureRequest()
        request.httpMethod = "PUT"
        let text = String(repeating: "a", count: 100_000)
        request.httpBody = Data(text.utf8)
        #expect(request.curl().hasSuffix("--data-raw '\(text)'"))
        let longer = Data((text + "a").utf8)
        request.httpBody = longer
        #expect(request.curl().hasPrefix("printf %s '\(longer.base64EncodedString())' | base64 -d | curl --request"))
        #expect(request.curl().hasSuffix("--data-binary @-"))
    }

    @Test("A body in base64 is redacted, too")
    func redactedBinary() throws {
        var request = try fixtureRequest()
        request.httpMethod = "PUT"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("a=".utf8) + [0xFF] + Data("&password=hunter2&b=c".utf8)
        let form = Data("a=".utf8) + [0xFF] + Data("&password=<redacted>&b=c".utf8)
        #expect(request.curl().contains(form.base64EncodedString()))
        request.setValue(nil, forHTTPHeaderField: "Content-Type")
        for body in [Data("{\"password\":\"hunter2\",\"a\":\"\u{7F}\"}".utf8), Data(#"{"pin":"1"}"#.utf8) + [0xFF]] {
            request.httpBody = body
            let text = try #require(request.curl().firstMatch(of: /printf %s '(.*)' \|/)).1
            let shown = String(decoding: try #require(Data(base64Encoded: String(text))), as: UTF8.self)
            #expect(shown.contains("<redacted>") && !shown.contains("hunter2") && !shown.contains("\"1\""))
            #expect(request.curl(redacting: .none).contains(body.base64EncodedString()))
        }
    }

    /// A body in base64, decoded.
    private func decoded(_ text: Substring?, as encoding: String.Encoding) throws -> String {
        let text = try #require(text)
        let body = try #require(Data(base64Encoded: String(text)))
        return try #require(String(data: body, encoding: encoding))
    }

    @Test(
        "Secrets in UTF-16 and UTF-32 are redacted, in commands and in Markdown",
        arguments: [
            .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
        ] as [String.Encoding], ["", "\u{FEFF}"])
    func wideText(encoding: String.Encoding, mark: String) throws {
        let text = #"{"user":"é","password":"hunter2","n":[1]}"#
        let expected = text.replacing("hunter2", with: "<redacted>")
        let body = try #require((mark + text).data(using: encoding))
        var request = try fixtureRequest()
        request.httpMethod = "PUT"
        request.httpBody = body
        for type in [nil, "application/json; charset=utf-16"] {
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            let command = request.curl()
            let shown = try decoded(command.firstMatch(of: /printf %s '(.*)' \|/)?.1, as: encoding)
            #expect(shown.hasSuffix(expected) && !shown.contains("hunter2"))
            let response = Response.makeMockResponse(with: request, data: body, statusCode: .ok)
            for markdown in [response.makeRequestMarkdown(), response.makeResponseMarkdown()] {
                let base64 = markdown.split(separator: "\n").dropLast().last
                #expect(try decoded(base64, as: encoding) == shown)
            }
            #expect(request.curl(redacting: .none).contains(body.base64EncodedString()))
        }
    }

    @Test("Of UTF-16 nothing else changes, also if it is cut inside of a character")
    func cutWideText() throws {
        func shown(_ text: String) throws -> (before: Data, after: Data) {
            let body = try #require(text.data(using: .utf16LittleEndian)), cut = body + [0x20]
            return (cut, SecretBody.redacted(cut, contentType: nil, by: .secrets, for: .requestText))
        }
        let harmless = try shown(#"{"n":"é😀"}"#), secret = try shown(#"{"pin":"12345"}"#)
        #expect(harmless.before == harmless.after)
        #expect(try secret.after == shown(#"{"pin":"<redacted>"}"#).before)
    }

    @Test("A body with a content coding, which may hide secrets, is shown only if nothing is redacted")
    func codedBody() throws {
        var request = try fixtureRequest()
        request.httpMethod = "PUT"
        let body = Data([0x1F, 0x8B]) + Data(#"{"password":"hunter2"}"#.utf8)
        request.httpBody = body
        request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        let response = Response.makeMockResponse(with: request, statusCode: .ok)
        #expect(request.curl().hasSuffix("--data-raw '<redacted>'"))
        let markdown = response.makeRequestMarkdown()
        #expect(markdown.hasSuffix("\n(24 bytes with a content coding, which may contain secrets.)"))
        let base64 = body.base64EncodedString()
        #expect(request.curl(redacting: .none).contains(base64))
        #expect(response.makeRequestMarkdown(redacting: .none).contains(base64))
        request.setValue("identity", forHTTPHeaderField: "Content-Encoding")
        #expect(request.curl().contains("base64 -d"))
    }

    @Test(
        "Control characters of headers and of the method are escaped: they would reach a terminal, or begin a line",
        arguments: ["\u{1B}", "\n", "\r", "\u{9B}", "\u{2028}"])
    func controlCharacters(text: String) throws {
        var request = try fixtureRequest()
        request.allHTTPHeaderFields = ["X-A": "a\tb\(text)c", "D\(text)E": "e"]
        request.httpMethod = "A\(text)B"
        let command = request.curl(), shown = text.escapingControlCharacters
        #expect(command.hasPrefix("curl --request 'A\(shown)B'"))
        #expect(command.contains("--header 'X-A: a\tb\(shown)c'"))
        #expect(command.contains("--header 'D\(shown)E: e'"))
        #expect(shown.hasPrefix("\\") && ["A", "b", "D"].allSatisfy { !command.contains("\($0)\(text)") })
    }

    @Test("A request without a URL has a command, too")
    func noURL() throws {
        var request = try fixtureRequest()
        request.url = nil
        #expect(request.curl() == "curl --url ''")
    }
}
