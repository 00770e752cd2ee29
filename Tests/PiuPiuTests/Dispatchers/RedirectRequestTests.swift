import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The request after a redirect", .timeLimit(.minutes(10)))
struct RedirectRequestTests {
    @Test(
        "The method changes as RFC 9110 says",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (303, "HEAD", "HEAD"), (302, "PUT", "PUT"), (301, "DELETE", "DELETE"), (307, "POST", "POST"),
            (308, "PATCH", "PATCH"), (302, "GET", "GET"), (303, "GET", "GET"), (303, "DELETE", "GET"),
        ])
    func method(status: Int, from method: String, to expected: String) throws {
        var request = URLRequest(url: try url("http://host/a"))
        request.httpMethod = method
        request.httpBody = Data("body".utf8)
        let fields = ["Content-Type", "Content-Disposition", "Digest", "Content-MD5", "Last-Modified"]
        for name in fields { request.setValue("text/plain", forHTTPHeaderField: name) }
        let next = request.redirected(to: try url("http://host/b"), status: status)
        #expect(next.httpMethod == expected)
        #expect(next.url?.path() == "/b")
        #expect((next.httpBody == nil) == (expected == "GET" && method != "GET"))
        for name in fields { #expect((next.value(forHTTPHeaderField: name) == nil) == (next.httpBody == nil)) }
    }

    private static let secrets = [
        "Authorization", "Cookie", "Proxy-Authorization", "X-API-Key", "X-Auth-Token", "X-Session-ID", "DPoP",
        "DD-APPLICATION-KEY",
    ]

    @Test(
        "Credentials stay with their origin",
        arguments: [
            ("http://host/b", true), ("http://HOST:80/b", true), ("http://other/b", false),
            ("http://host:8080/b", false), ("https://host/b", false), ("http://host.evil/b", false),
        ])
    func credentials(target: String, areKept: Bool) throws {
        var request = URLRequest(url: try url("http://host/a"))
        for name in Self.secrets + ["X-Other", "Idempotency-Key"] {
            request.setValue("value", forHTTPHeaderField: name)
        }
        let next = request.redirected(to: try url(target), status: 302)
        for name in Self.secrets {
            #expect((next.value(forHTTPHeaderField: name) != nil) == areKept)
        }
        #expect(next.value(forHTTPHeaderField: "X-Other") == "value")
        #expect(next.value(forHTTPHeaderField: "Idempotency-Key") == "value")
    }

    @Test("A Host of the caller's stays with its origin (RFC 9110, 7.2)")
    func host() throws {
        var request = URLRequest(url: try url("http://host/a"))
        request.setValue("inner", forHTTPHeaderField: "host")
        let kept = request.redirected(to: try url("http://host/b"), status: 307)
        #expect(kept.value(forHTTPHeaderField: "Host") == "inner")
        let other = request.redirected(to: try url("http://other/b"), status: 307)
        #expect(other.value(forHTTPHeaderField: "Host") == nil)
    }

    @Test(
        "What no URL can have is encoded in a location, and codes that are there stay",
        arguments: [
            ("/cb?u=https%3A%2F%2Fx&v=a|b", "http://host/cb?u=https%3A%2F%2Fx&v=a%7Cb"),
            ("/a%2Fb c", "http://host/a%2Fb%20c"), ("b (1)%20.pdf", "http://host/d/b%20(1)%20.pdf"),
            ("/Z%C3%BC_ü", "http://host/Z%C3%BC_%C3%BC"), ("/x?d=50%&r=%2F", "http://host/x?d=50%25&r=%2F"),
            ("/a%2", "http://host/a%252"), ("/a#f%20ü#g", "http://host/a#f%20%C3%BC%23g"),
            ("?f[n]=a%20b&g={\"\\^`<>}", "http://host/d/a?f%5Bn%5D=a%20b&g=%7B%22%5C%5E%60%3C%3E%7D"),
            ("//o/%20 x", "http://o/%20%20x"), ("//o?x|%20", "http://o?x%7C%20"), ("//o#|%20", "http://o#%7C%20"),
            ("http://[::1]:80/a%20 b", "http://[::1]:80/a%20%20b"),
            ("https://bücher.example/%20ü", "https://xn--bcher-kva.example/%20%C3%BC"),
            ("http://u%40:p@o/%40|", "http://u%40:p@o/%40%7C"), ("app:x y%20", "app:x%20y%20"),
            ("../e?f'+;=:@!$&,*()~#/?", "http://host/e?f'+;=:@!$&,*()~#/?"), ("/\u{301}%20", "http://host/%CC%81%20"),
        ])
    func locations(location: String, target: String) throws {
        let request = TransferRequest(URLRequest(url: try url("http://host/d/a")))
        let head = TransferHead(url: try url("http://host/d/a"), status: 302, fields: [("Location", location)])
        #expect(request.location(in: head)?.absoluteString == target)
    }

    @Test(
        "In a location tabs are left out, and backslashes before the query are slashes, as in browsers",
        arguments: [
            ("/o/pl\tain", "http://host/o/plain"), ("\\o\\plain", "http://host/o/plain"),
            ("b\\c", "http://host/d/b/c"), ("\\\\evil.com\\b", "http://evil.com/b"),
            ("/\\evil.com", "http://evil.com"), ("/\t/evil.com", "http://evil.com"),
            ("\\/evil.com/b", "http://evil.com/b"), ("ht\ttps:\\\\evil.com\\b", "https://evil.com/b"),
            ("http://host\\@evil.com/b", "http://host/@evil.com/b"),
            ("..\\e\u{301}\\\u{301}", "http://host/e%CC%81/%CC%81"),
            ("\\a?b\\c\td#e\\f", "http://host/a?b%5Ccd#e%5Cf"), ("app:x\\y", "app:x%5Cy"),
            ("a\\b:c", "http://host/d/a/b:c"),
        ])
    func browserLocations(location: String, target: String) throws {
        var first = URLRequest(url: try url("http://host/d/a"))
        first.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        let head = TransferHead(url: try url("http://host/d/a"), status: 302, fields: [("Location", location)])
        let found = try #require(TransferRequest(first).location(in: head))
        #expect(found.absoluteString == target)
        let next = first.redirected(to: found, status: 302)
        #expect((next.value(forHTTPHeaderField: "Authorization") != nil) == target.hasPrefix("http://host/"))
    }

    @Test("A location means the same when it is encoded", arguments: Array<UInt64>(1...50))
    func codes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let codes = ["%2F": "/", "%25": "%", "%c3%BC": "ü"]
        let plain = ["z", "/", "?", "&", "=", " ", "|", "ü", "[", "%", "\"", "\u{301}", "😀"]
        let pieces = (0..<30).compactMap { _ in (codes.keys.sorted() + plain).randomElement(using: &generator) }
        let location = "/z" + pieces.joined(), meant = "/z" + pieces.map { codes[$0] ?? $0 }.joined()
        let request = TransferRequest(URLRequest(url: try url("http://host/")))
        let head = TransferHead(url: try url("http://host/"), status: 302, fields: [("Location", location)])
        let target = try #require(request.location(in: head)?.absoluteString)
        #expect(target.removingPercentEncoding == "http://host" + meant, "\(location)")
    }

    @Test(
        "A location of the same origin without a user keeps that of the URL before it",
        arguments: [
            ("http://host/b", "http://u%40:p%3A@host/b"), ("http://HOST:80/b?c#d", "http://u%40:p%3A@HOST:80/b?c#d"),
            ("/b", "http://u%40:p%3A@host/b"), ("http://x:y@host/b", "http://x:y@host/b"),
            ("http://x@host/b", "http://x@host/b"),
            ("http://other/b", "http://other/b"), ("//other/b", "http://other/b"), ("https://host/b", "https://host/b"),
            ("http://host:8080/b", "http://host:8080/b"),
        ])
    func users(location: String, target: String) throws {
        let request = TransferRequest(URLRequest(url: try url("http://u%40:p%3A@host/a")))
        let head = TransferHead(url: try url("http://host/a"), status: 301, fields: [("Location", location)])
        let next = request.urlRequest.redirected(to: try #require(request.location(in: head)), status: 301)
        #expect(next.url?.absoluteString == target)
        var named = URLRequest(url: try url("http://u@host/a"))
        named = named.redirected(to: try url("http://host/b"), status: 301)
        #expect(named.url?.absoluteString == "http://u@host/b")
    }

    @Test("An international name is one origin, however it is written")
    func internationalNames() throws {
        let unicode = try url("https://bücher.example/api"), ascii = try url("https://xn--bcher-kva.example:443/")
        #expect(unicode.origin == ascii.origin)
        #expect(unicode.appending(path: "a").origin == unicode.origin)
        #expect(URL(string: "/b", relativeTo: unicode)?.absoluteURL.origin == unicode.origin)
        #expect(unicode.origin != (try url("https://bucher.example/").origin))
        #expect(try url("http://h%6Fst/").origin == url("http://host/").origin)
        #expect(try url("http://a%0Ab%2Fc/").origin == "http://a%0Ab%2Fc:80")
        #expect(try url("http://[::1]:8080/").origin == "http://::1:8080")
        var request = URLRequest(url: unicode)
        request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        let head = TransferHead(url: unicode, status: 308, fields: [("Location", "/api/")])
        let next = request.redirected(to: try #require(TransferRequest(request).location(in: head)), status: 308)
        #expect(next.value(forHTTPHeaderField: "Authorization") == "Bearer 1")
    }

    @Test("A request with an empty body of its own is sent without one; without a body it keeps the one before it")
    func emptyBodies() throws {
        var first = URLRequest(url: try url("http://host/a"))
        first.httpMethod = "POST"
        for body in [TransferBody.data(Data("a".utf8)), .file(URL(filePath: "/a"))] {
            let request = TransferRequest(first, body: body)
            var next = request.urlRequest.redirected(to: try url("http://host/b"), status: 307)
            #expect(try !request.redirected(to: next, keepsBody: true).isWithoutBody)
            next.httpBody = Data()
            #expect(try request.redirected(to: next, keepsBody: true).isWithoutBody)
        }
    }

    @Test("The origin of an https URL has port 443, whether or not the URL says so")
    func portOfHTTPS() throws {
        #expect(try url("https://host/a").origin == url("HTTPS://host:443").origin)
        #expect(try url("https://host/a").origin != url("https://host:80/a").origin)
    }

    @Test("HEDGE, C1 KEY: a second copy is still one after a redirect")
    func copies() throws {
        var request = TransferRequest(URLRequest(url: try url("http://host/a")))
        request.copy = 2
        let next = request.urlRequest.redirected(to: try url("http://host/b"), status: 302)
        #expect(try request.redirected(to: next, keepsBody: true).copy == 2)
    }

    @Test("Other schemes aren't followed", arguments: ["file:///etc/passwd", "ftp://host/", "data:,x", "http:///x"])
    func otherSchemes(target: String) throws {
        let request = TransferRequest(URLRequest(url: try url("http://host/a")))
        let next = request.urlRequest.redirected(to: try url(target), status: 302)
        let error = #expect(throws: TransferError.self) {
            try request.redirected(to: next, keepsBody: true)
        }
        #expect(error?.kind == .unsupportedURL)
    }
}

extension TransferRequest {
    fileprivate var isWithoutBody: Bool { if case .none = body { true } else { false } }
}
