import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("BasicRequest", .timeLimit(.minutes(10)))
struct BasicRequestTests {
    private func url(
        _ path: String, _ items: [URLQueryItem] = [], on base: String = "https://a.com",
        _ basePath: BasicRequest.BasePath = .replaced
    ) throws -> String {
        let request = BasicRequest(method: .get, path: path, queryItems: items, basePath: basePath)
        return try request.url(withBaseURL: URL(fixture: base)).absoluteString
    }

    @Test(
        "The path replaces the base URL's, or comes after it",
        arguments: [
            ("/posts", "https://a.com", "https://a.com/posts", "https://a.com/posts"),
            ("posts", "https://a.com", "https://a.com/posts", "https://a.com/posts"),
            ("/posts", "https://a.com/api", "https://a.com/posts", "https://a.com/api/posts"),
            ("posts/", "https://a.com/api/", "https://a.com/posts/", "https://a.com/api/posts/"),
            ("/posts", "https://a.com/a%2Fb//", "https://a.com/posts", "https://a.com/a%2Fb//posts"),
            ("", "https://a.com/api/", "https://a.com", "https://a.com/api/"),
            ("", "https://a.com", "https://a.com", "https://a.com"),
            ("/", "https://a.com/api", "https://a.com/", "https://a.com/api/"),
            ("//b.com/x", "https://a.com/api", "https://a.com//b.com/x", "https://a.com/api//b.com/x"),
            ("a:b", "http://u:p@[::1]:80/x", "http://u:p@[::1]:80/a:b", "http://u:p@[::1]:80/x/a:b"),
        ])
    func basePath(path: String, base: String, replaced: String, kept: String) throws {
        #expect(try url(path, on: base) == replaced)
        #expect(try url(path, on: base, .kept) == kept)
    }

    @Test(
        "A path is encoded once",
        arguments: [
            ("/a b", "/a%20b"), ("/a%20b", "/a%20b"), ("/a%20b c", "/a%20b%20c"), ("/100%", "/100%25"),
            ("/100%25", "/100%25"), ("/50% of %41", "/50%25%20of%20%2541"), ("/%2541", "/%2541"), ("/%zz", "/%25zz"),
            ("/ü", "/%C3%BC"), ("/%fF", "/%fF"), ("/a?b#c", "/a%3Fb%23c"), ("/a;b=c,d+e", "/a;b=c,d+e"),
            ("/[a]", "/%5Ba%5D"), ("/a\r\nb\0", "/a%0D%0Ab%00"), ("/e\u{301}", "/e%CC%81"),
        ])
    func encodedPath(path: String, expected: String) throws {
        #expect(try url(path) == "https://a.com" + expected)
        // What has been encoded is not encoded again.
        #expect(try url(expected) == "https://a.com" + expected)
    }

    @Test("No items, or empty ones, leave no question mark, and none of the base URL's")
    func noQuery() throws {
        #expect(try url("/p") == "https://a.com/p")
        #expect(try url("/p", on: "https://a.com/?x=1#part") == "https://a.com/p#part")
        #expect(try url("/p", on: "https://a.com/?", .kept) == "https://a.com/p")
        #expect(try url("/p", [URLQueryItem(name: "", value: nil)]) == "https://a.com/p")
    }

    @Test("Query items are plain text, encoded always, in order")
    func query() throws {
        let items = [
            ("a+b", "c+d e"), ("a+b", "100%25"), ("k", ""), ("n", nil), ("", "v"), ("é&=", "#;'/?:@"), ("x", "\r\n"),
        ].map { URLQueryItem(name: $0.0, value: $0.1) }
        let query = "a%2Bb=c%2Bd%20e&a%2Bb=100%2525&k=&n&=v&%C3%A9%26%3D=%23%3B%27/?:@&x=%0D%0A"
        #expect(try url("/p", items, on: "https://a.com/?old=1") == "https://a.com/p?" + query)
    }

    @Test("A base URL is resolved first")
    func relativeBase() throws {
        let base = try #require(URL(string: "v2/", relativeTo: URL(string: "https://a.com/api/")))
        var request = BasicRequest(method: .get, path: "posts")
        #expect(try request.url(withBaseURL: base).absoluteString == "https://a.com/posts")
        request.basePath = .kept
        #expect(try request.url(withBaseURL: base).absoluteString == "https://a.com/api/v2/posts")
    }

    @Test("A base URL and a path that make no URL are an error that names both")
    func noURL() throws {
        let base = try URL(fixture: "/relative")
        let request = BasicRequest(method: .get, path: "//p?secret")
        let error = #expect(throws: InvalidRequestError.self) { _ = try request.url(withBaseURL: base) }
        #expect(error == .invalidURL(baseURL: base, path: "//p?secret"))
        #expect(error?.url == base)
        #expect(error?.errorKey == "InvalidRequestError.invalidURL")
        #expect(error?.localizedDescription.contains("\"//p?…\"") == true)
    }

    @Test(
        "A path can't leave a base URL that is kept",
        arguments: [
            "..", "../admin", "/../admin", "a/../../admin", "a/b/../../../admin", "./../admin", "%2e%2e/admin",
            "%2E./admin", ".%2e%2Fadmin", "..%2Fadmin", "..\\admin", "..%5Cadmin", "a//../../admin", "%FF/../..",
            "%FF/%2e%2e/..", "..;/..",
        ])
    func leavingPath(path: String) throws {
        let base = try URL(fixture: "https://a.com/api/v1")
        let isLeaving = path != "..;/.."
        let request = BasicRequest(method: .get, path: path, basePath: .kept)
        do {
            _ = try request.urlRequest(withBaseURL: base)
            #expect(!isLeaving)
        } catch {
            #expect(error as? InvalidRequestError == .pathLeavesBase(baseURL: base, path: path))
        }
        #expect(throws: Never.self) { try BasicRequest(method: .get, path: path).url(withBaseURL: base) }
    }

    @Test("A secret parameter of a path isn't shown in the text of an error")
    func secretParameter() throws {
        let path = "../app;jsessionid=s3cret?token=s3cret"
        let base = try URL(fixture: "https://a.com/api")
        let error = try #require(throws: InvalidRequestError.self) {
            try BasicRequest(method: .get, path: path, basePath: .kept).urlRequest(withBaseURL: base)
        }
        var request = BasicRequest(method: .post, path: path)
        let failure = try #require(throws: RequestBodyError.self) { try request.setJSONBody(Double.nan) }
        for text in [error.localizedDescription, failure.localizedDescription] {
            #expect(text.contains("../app;jsessionid=<redacted>?…") && !text.contains("s3cret"), "\(text)")
        }
    }

    @Test(
        "Dots that don't lead out of the base stay as they are",
        arguments: ["a/../b", "a/..", "...", "..a", "a..", "./a", "%252e%252e"])
    func dots(path: String) throws {
        #expect(try url(path, on: "https://a.com/api", .kept) == "https://a.com/api/\(path)")
    }

    @Test(
        "A header with a line break or NUL is refused, before Foundation drops it",
        arguments: ["a\r\nX-Injected: 1", "a\nb", "a\rb", "a\0b", "\r\n"])
    func injectedHeader(value: String) throws {
        let base = try URL(fixture: "https://a.com")
        let url = try URL(fixture: "https://a.com/p")
        let request = BasicRequest(method: .get, path: "/p", headers: ["A": "fine", "X-Header": value])
        #expect(throws: InvalidRequestError.invalidHeaderValue(name: "X-Header", url: url)) {
            try request.urlRequest(withBaseURL: base)
        }
        let named = BasicRequest(method: .get, path: "/p", headers: [value: "fine"])
        #expect(throws: InvalidRequestError.invalidHeaderName(value, url: url)) {
            try named.urlRequest(withBaseURL: base)
        }
    }

    @Test("The request has the method, the headers and the body")
    func urlRequest() throws {
        var request = BasicRequest(method: .put, path: "/p", headers: ["Accept": "text/plain", "X": ""])
        request.httpBody = Data("b".utf8)
        let built = try request.urlRequest(withBaseURL: URL(fixture: "https://a.com"))
        #expect(built.httpMethod == "PUT")
        #expect(built.allHTTPHeaderFields == ["Accept": "text/plain", "X": ""])
        #expect(built.httpBody == Data("b".utf8))
        #expect(built.url?.absoluteString == "https://a.com/p")
    }

    @Test("A timeout and a cache policy arrive in the request, and without them it has the defaults")
    func timeoutAndCachePolicy() throws {
        var request = BasicRequest(method: .get, path: "/p")
        let base = try URL(fixture: "https://a.com"), plain = try request.urlRequest(withBaseURL: base)
        #expect(plain.timeoutInterval == 60 && plain.cachePolicy == .useProtocolCachePolicy)
        let original = request
        request.timeoutInterval = 7.5
        #expect(request != original)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let built = try request.urlRequest(withBaseURL: base)
        #expect(built.timeoutInterval == 7.5 && built.cachePolicy == .reloadIgnoringLocalCacheData)
        (request.timeoutInterval, request.cachePolicy) = (nil, nil)
        #expect(request == original)
    }

    @Test("Headers are the same whatever their case")
    func headers() throws {
        var request = BasicRequest(method: .get, path: "/p", headers: ["content-type": "a/a", "Content-Type": "b/b"])
        let built = try request.urlRequest(withBaseURL: URL(fixture: "https://a.com"))
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "a/a")
        #expect(built.allHTTPHeaderFields?.count == 1)
        #expect(request.value(forHTTPHeaderField: "CONTENT-TYPE") == "a/a")
        request.setValue("c/c", forHTTPHeaderField: "CONTENT-type")
        #expect(request.headers == ["CONTENT-type": "c/c"])
        request.setValue(nil, forHTTPHeaderField: "Content-Type")
        #expect(request.headers.isEmpty)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test("Query items are read, added, replaced and removed by name")
    func queryHelpers() throws {
        var request = BasicRequest(method: .get, path: "/p")
        request.addQueryValue("1", forName: "a")
        request.addQueryValue(nil, forName: "b")
        request.addQueryValue("2", forName: "a")
        #expect(request.queryValues(forName: "a") == ["1", "2"])
        #expect(request.queryValues(forName: "b").isEmpty)
        #expect(request.queryValue(forName: "a") == "1" && request.queryValue(forName: "b") == nil)
        request.setQueryValue("3", forName: "a")
        request.setQueryValue("4", forName: "c")
        let base = try URL(fixture: "https://a.com")
        #expect(try request.url(withBaseURL: base).query() == "a=3&b&c=4")
        for name in ["a", "b", "c"] { request.setQueryValue(nil, forName: name) }
        #expect(try request.url(withBaseURL: base).absoluteString == "https://a.com/p")
    }

    @Test("The query of a URL is read as a server reads it, and replaced")
    func urlQuery() throws {
        let url = try URL(fixture: "https://a.com/p?q=a+b&q=c%20%2B&n#f")
        #expect(url.queryValues(forName: "q") == ["a b", "c +"])
        #expect(url.queryValue(forName: "n") == "")
        #expect(url.queryValue(forName: "none") == nil)
        let replaced = try url.replacingQuery(with: [URLQueryItem(name: "r", value: "1+1")])
        #expect(replaced.absoluteString == "https://a.com/p?r=1%2B1#f")
        #expect(replaced.queryValue(forName: "r") == "1+1")
        #expect(try url.replacingQuery(with: []).absoluteString == "https://a.com/p#f")
    }
}
