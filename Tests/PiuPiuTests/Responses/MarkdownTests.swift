import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests and responses as Markdown", .timeLimit(.oneProcessAtATime))
struct MarkdownTests {
    private func response(
        to request: URLRequest, _ body: Data? = nil, statusCode: StatusCode = .ok, headers: [String: String] = [:]
    ) throws -> HTTPResponse<Data?> {
        try Response.makeMockResponse(with: request, data: body, statusCode: statusCode, headers: headers)
            .makeHTTPResponse()
    }

    private func post(_ body: String, headers: [String: String]) throws -> URLRequest {
        var request = URLRequest(url: try URL(fixture: "https://example.com/posts?page=2"), method: .post)
        request.allHTTPHeaderFields = headers
        request.httpBody = Data(body.utf8)
        return request
    }

    @Test("A request: method, URL, headers by name with secrets redacted, and body")
    func request() throws {
        let request = try post(
            #"{"id":1}"#, headers: ["X-Api-Key": "k", "accept": "*/*", "Authorization": "Bearer s", "B": "c"])
        let expected = """
            ## REQUEST
            [POST] https://example.com/posts?page=2
            ### Headers
            * accept: */*
            * Authorization: <redacted>
            * B: c
            * X-Api-Key: <redacted>
            ### Body
            ```json
            {"id":1}
            ```
            """
        #expect(try response(to: request).makeRequestMarkdown().lowercased() == expected.lowercased())
        let shown = try response(to: request).makeRequestMarkdown(redacting: .none)
        #expect(shown.contains("Bearer s"))
        let own = try response(to: request).makeRequestMarkdown(redacting: HeaderRedaction(["b"]))
        #expect(own.contains("B: <redacted>") && own.contains("Bearer s"))
    }

    @Test("A response: method, status, URL, headers even if there are none, and body")
    func response() throws {
        let request = try fixtureRequest()
        let full = try response(
            to: request, Data("[]".utf8), statusCode: .other(299), headers: ["Set-Cookie": "s=1", "A": "b"])
        #expect(
            full.makeResponseMarkdown() == """
                ## RESPONSE
                [GET] (299) https://example.com/posts
                ### Headers
                * A: b
                * Set-Cookie: <redacted>
                ### Body
                ```json
                []
                ```
                """)
        #expect(full.makeResponseMarkdown(redacting: .none).contains("* Set-Cookie: s=1"))
        #expect(
            try response(to: request, statusCode: .noContent).makeResponseMarkdown() == """
                ## RESPONSE
                [GET] (204) https://example.com/posts
                ### Headers
                """)
        #expect(
            try fixtureFileResponse("a").makeResponseMarkdown() == """
                ## RESPONSE
                [GET] file:///tmp/posts.json
                ### Body
                ```json
                a
                ```
                """)
    }

    @Test("Headers come in the same order each time")
    func deterministic() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let names = (0..<40).map { "X-\($0)" }
        let texts = try (0..<5).map { _ in
            let headers = Dictionary(uniqueKeysWithValues: names.shuffled(using: &generator).map { ($0, "v") })
            return try response(to: fixtureRequest(), headers: headers).makeResponseMarkdown()
        }
        #expect(Set(texts).count == 1, "seed \(seed)")
    }

    @Test("A body that isn't text is shown in base64, and so is one with terminal commands")
    func binary() throws {
        for bytes: [UInt8] in [[0xFF, 0xFE], [0x41, 0x00], [0x1B, 0x5B, 0x32, 0x4A], [0xC2, 0x9B, 0x41], [0xC3]] {
            let text = try response(to: fixtureRequest(), Data(bytes)).makeResponseMarkdown()
            #expect(text.hasSuffix("### Body\n```base64\n\(Data(bytes).base64EncodedString())\n```"), "\(text)")
        }
    }

    @Test("A body in base64 is redacted, too")
    func redactedBinary() throws {
        for (end, isText) in [(Data("\u{7F}".utf8), true), (Data([0xFF]), false)] {
            let body = Data(#"{"password":"hunter2"}"#.utf8) + end
            let text = try response(to: fixtureRequest(), body).makeResponseMarkdown()
            let shown = Data(#"{"password":"<redacted>"}"#.utf8) + end
            #expect(text.hasSuffix("```base64\n\(shown.base64EncodedString())\n```"), "text: \(isText)")
        }
    }

    @Test("A body of another type than JSON has a fence without a language")
    func otherType() throws {
        let html = try response(to: fixtureRequest(), Data("<p>".utf8), headers: ["Content-Type": "text/html"])
        #expect(html.makeResponseMarkdown().hasSuffix("### Body\n```\n<p>\n```"))
        let problem = ["Content-Type": "application/problem+JSON"]
        #expect(
            try response(to: fixtureRequest(), Data("1".utf8), headers: problem).makeResponseMarkdown()
                .hasSuffix("```json\n1\n```"))
    }

    @Test(
        "A long body is cut at a whole character, and says so",
        arguments: [
            (0, ""), (1, "a"), (2, "a"), (3, "aé"), (4, "aé"), (5, "aé"), (6, "aé"), (7, "aé😀"), (8, nil), (9, nil),
            (-1, ""),
        ] as [(Int, String?)])
    func cut(limit: Int, shown: String?) throws {
        let body = Data("aé😀b".utf8)
        let text = try response(to: fixtureRequest(), body).makeResponseMarkdown(bodyLimit: limit)
        if let shown {
            #expect(text.hasSuffix("```json\n\(shown)\n```\n(The first \(shown.utf8.count) of 8 bytes.)"), "\(text)")
        } else {
            #expect(text.hasSuffix("```json\naé😀b\n```"))
        }
        let binary = try response(to: fixtureRequest(), Data([0x41, 0xFF, 0xC3, 0x41]))
        #expect(binary.makeResponseMarkdown(bodyLimit: 3).hasSuffix("Qf/D\n```\n(The first 3 of 4 bytes.)"))
        #expect(
            try response(to: post("abc", headers: [:])).makeRequestMarkdown(bodyLimit: 2).contains("\nab\n```\n(The"))
    }

    @Test("A body that is a stream is named, and not read")
    func stream() throws {
        var request = try fixtureRequest()
        let stream = InputStream(data: Data("abc".utf8))
        request.httpBodyStream = stream
        let text = try response(to: request).makeRequestMarkdown()
        #expect(text.hasSuffix("### Body\n(A stream, which isn't read here.)"))
        #expect(!text.contains("abc"))
        #expect(stream.streamStatus == .notOpen)
    }

    @Test("A decoded response still shows its request, and one without a URL doesn't crash")
    func oddRequests() throws {
        #expect(
            try fixtureResponse("[1]").decoded([Int].self).makeRequestMarkdown().hasPrefix("## REQUEST\n[GET] http"))
        var request = try fixtureRequest()
        let head = try response(to: request).httpResponse
        request.url = nil
        request.httpMethod = "A\nB"
        let odd = HTTPResponse<Data?>(data: nil, urlRequest: request, httpResponse: head)
        #expect(odd.makeRequestMarkdown() == "## REQUEST\n[A\\nB] (no URL)")
        #expect(odd.makeResponseMarkdown().hasPrefix("## RESPONSE\n[A\\nB] (200) https://example.com/posts\n"))
    }

    @Test(
        "Secrets in a URL are redacted along with the headers",
        arguments: [
            ("https://u:p@example.com/a", "https://<redacted>@example.com/a"),
            ("https://u@example.com", "https://<redacted>@example.com"),
            ("https://example.com/a@b", "https://example.com/a@b"),
            ("https://example.com/?a=1&access_token=s&b=", "https://example.com/?a=1&access_token=<redacted>&b="),
            ("https://example.com/?API%5Fkey=s&token", "https://example.com/?API%5Fkey=<redacted>&token"),
            ("https://example.com/#id_token=s", "https://example.com/#id_token=<redacted>"),
        ])
    func urls(address: String, shown: String) throws {
        let response = try response(to: fixtureRequest(address), headers: ["Location": address])
        #expect(response.makeRequestMarkdown().hasSuffix("[GET] \(shown)"))
        #expect(response.makeResponseMarkdown().contains("[GET] (200) \(shown)\n"))
        #expect(response.makeResponseMarkdown().contains("* Location: \(shown)"))
        #expect(response.makeRequestMarkdown(redacting: .none).hasSuffix("[GET] \(address)"))
    }

    #if os(macOS) || os(Linux)
        @Test("debug() prints both between two lines, in release builds too", .oneProcessAtATime)
        func debug() async throws {
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) { [log = log as ProcessLog] in
                try await log.record {
                    try fixtureResponse("[1]").debug()
                    try fixtureResponse(#"["/?token=s3cret"]"#).debug()
                    try fixtureResponse("[2, 3]").makeHTTPResponse().debug(redacting: .none, bodyLimit: 2)
                }
            }
            let output = try log.text()
            let line = String(repeating: "=", count: 80), inner = String(repeating: "-", count: 80)
            #expect(output.contains("\(line)\n## REQUEST\n[GET] https://example.com/posts\n\(inner)\n## RESPONSE\n"))
            #expect(output.contains("```json\n[1]\n```\n\(line)\n"))
            #expect(output.contains("```json\n[\"/?token=<redacted>\"]\n```\n\(line)\n"))
            #expect(output.contains("```json\n[2\n```\n(The first 2 of 6 bytes.)\n\(line)\n"))
        }
    #endif
}
