import Foundation
import PiuPiu
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
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let next = request.redirected(to: try url("http://host/b"), status: status)
        #expect(next.httpMethod == expected)
        #expect(next.url?.path() == "/b")
        #expect((next.httpBody == nil) == (expected == "GET" && method != "GET"))
        #expect((next.value(forHTTPHeaderField: "Content-Type") == nil) == (next.httpBody == nil))
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
        #expect(try request.redirected(to: next).copy == 2)
    }

    @Test("Other schemes aren't followed", arguments: ["file:///etc/passwd", "ftp://host/", "data:,x", "http:///x"])
    func otherSchemes(target: String) throws {
        let request = TransferRequest(URLRequest(url: try url("http://host/a")))
        let next = request.urlRequest.redirected(to: try url(target), status: 302)
        let error = #expect(throws: TransferError.self) { try request.redirected(to: next) }
        #expect(error?.kind == .unsupportedURL)
    }
}
