import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Segments of paths", .timeLimit(.minutes(10)))
struct PathSegmentTests {
    private static let segments: [([String], path: String)] = [
        (["tags", "AC/DC"], "/tags/AC%2FDC"), (["100%"], "/100%25"), (["%41", "a%20b"], "/%2541/a%2520b"),
        (["a b", "ü", "e\u{301}"], "/a%20b/%C3%BC/e%CC%81"), (["a?b#c"], "/a%3Fb%23c"),
        (["a;b=c,d+e", "x:y@z"], "/a%3Bb%3Dc%2Cd%2Be/x%3Ay%40z"), (["a\\b", "[a]"], "/a%5Cb/%5Ba%5D"),
        (["\r\n\0", " "], "/%0D%0A%00/%20"), (["...", ".a", "a.."], "/.../.a/a.."),
        (["%2e%2e", "%2F"], "/%252e%252e/%252F"), (["A-z_0.9~"], "/A-z_0.9~"), (["/", "//"], "/%2F/%2F%2F"),
        ([".\u{301}"], "/.%CC%81"), ([], ""),
    ]

    @Test("A segment stays one, byte for byte, on a base URL that is kept or not", arguments: segments)
    func basicRequest(segments: [String], path: String) throws {
        let base = try URL(fixture: "https://u:p@a.com:81/v%2F1;x/?old=1#f")
        let items = [URLQueryItem(name: "q", value: "1")]
        var request = try BasicRequest(
            method: .put, pathSegments: segments, queryItems: items, headers: ["X": "1"], basePath: .kept)
        #expect(request.path == path && request.method == .put && request.headers == ["X": "1"])
        for (basePath, start) in [(BasicRequest.BasePath.kept, "/v%2F1;x"), (.replaced, "")] {
            request.basePath = basePath
            let sent = try #require(try request.urlRequest(withBaseURL: base).url)
            let end = basePath == .kept && segments.isEmpty ? "/" : ""
            #expect(sent.absoluteString == "https://u:p@a.com:81\(start)\(path)\(end)?q=1#f")
            #expect(URL(string: sent.absoluteString)?.absoluteString == sent.absoluteString)
        }
        // As the text of a path it is the same.
        let again = BasicRequest(method: .put, path: request.path)
        #expect(try again.url(withBaseURL: base).path(percentEncoded: true) == path)
    }

    @Test("A request of segments has a body, too")
    func bodies() throws {
        let items = [URLQueryItem(name: "q", value: "1")]
        let json = try BasicRequest(
            method: .put, pathSegments: ["a/b"], queryItems: items, headers: ["X": "1"], basePath: .kept, json: [1])
        var plain = try BasicRequest(
            method: .put, pathSegments: ["a/b"], queryItems: items, headers: ["X": "1"], basePath: .kept)
        try plain.setJSONBody([1])
        #expect(json == plain && json.httpBody == Data("[1]".utf8))
        let form = try BasicRequest(
            method: .put, pathSegments: ["a/b"], queryItems: items, headers: ["X": "1"], basePath: .kept,
            form: ["b": "1", "a": "2"])
        #expect(form.httpBody == Data("b=1&a=2".utf8) && form.path == "/a%2Fb" && form.basePath == .kept)
        #expect(form.headers == ["X": "1", "Content-Type": URLEncodedForm.contentType] && form.queryItems == items)
        #expect(throws: InvalidRequestError.self) { try BasicRequest(method: .put, pathSegments: [".."], json: 1) }
        #expect(throws: InvalidRequestError.self) { try BasicRequest(method: .put, pathSegments: [".."], form: [:]) }
        #expect(throws: RequestBodyError.self) {
            try BasicRequest(method: .put, pathSegments: ["a"], json: Double.infinity)
        }
    }

    @Test("They come after the path of a URL, whose bytes stay", arguments: segments.dropLast())
    func url(segments: [String], path: String) throws {
        for (start, end) in [
            ("https://a.com", ""), ("https://a.com/b%2Fc;d", "?q=%2B+%41&a%5B%5D=1#f%20"), ("file:///tmp", ""),
            ("https://u:p@[::1]:80/%7Ea//x", "#"),
        ] {
            var url = try URL(fixture: start + end)
            for segment in segments { url = try url.appendingPathSegments(segment) }
            #expect(url.absoluteString == start + path + end)
            #expect(URL(string: url.absoluteString)?.absoluteString == url.absoluteString)
        }
    }

    @Test("Several at once, behind a slash, on a relative URL, and none")
    func appending() throws {
        let url = try URL(fixture: "https://a.com/b/?q=1")
        #expect(try url.appendingPathSegments("c/d", "e").absoluteString == "https://a.com/b/c%2Fd/e?q=1")
        #expect(try url.appendingPathSegments().absoluteString == "https://a.com/b/?q=1")
        let relative = try #require(URL(string: "c", relativeTo: URL(string: "https://a.com/b/")))
        #expect(try relative.appendingPathSegments("d").absoluteString == "https://a.com/b/c/d")
        #expect(try URL(fixture: "c/d").appendingPathSegments("e").absoluteString == "c/d/e")
    }

    @Test("What servers and URL parsers resolve is an error", arguments: ["", ".", ".."])
    func invalid(segment: String) throws {
        let url = try URL(fixture: "https://a.com/b?token=secret")
        let error = try #require(throws: InvalidRequestError.self) { try url.appendingPathSegments("c", segment) }
        #expect(error == .invalidPathSegment(segment, url: url) && error.url == url)
        #expect(error.localizedDescription.contains("\"\(segment)\" can't be a segment of the path of https://a.com/b"))
        #expect(!error.localizedDescription.contains("secret"))
        #expect(throws: InvalidRequestError.invalidPathSegment(segment, url: nil)) {
            try BasicRequest(method: .get, pathSegments: ["c", segment, "d"])
        }
    }

    @Test("A segment that some servers read as a way out of a base URL that is kept is an error later")
    func leaving() throws {
        let base = try URL(fixture: "https://a.com/api")
        var request = try BasicRequest(method: .get, pathSegments: ["../admin"], basePath: .kept)
        #expect(throws: InvalidRequestError.pathLeavesBase(baseURL: base, path: "/..%2Fadmin")) {
            try request.url(withBaseURL: base)
        }
        request.basePath = .replaced
        #expect(try request.url(withBaseURL: base).absoluteString == "https://a.com/..%2Fadmin")
    }
}
