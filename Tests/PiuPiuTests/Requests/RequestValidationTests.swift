import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Validation of a request", .timeLimit(.minutes(10)))
struct RequestValidationTests {
    @Test("A sound request comes out as it went in")
    func untouched() throws {
        var request = URLRequest(url: try URL(fixture: "https://u:p@example.com:8080/a%2Fb?q=a+b#f"), method: .patch)
        request.setValue("tab\there, é", forHTTPHeaderField: "X!#$%&'*+-.^_`|~9")
        request.setValue("", forHTTPHeaderField: "Empty")
        request.httpBody = Data("x".utf8)
        request.timeoutInterval = 30
        request.cachePolicy = .reloadIgnoringLocalCacheData
        let validated = try request.validated()
        #expect(validated == request)
        #expect(validated.allHTTPHeaderFields == request.allHTTPHeaderFields)
        #expect(validated.httpBody == request.httpBody)
        #expect(validated.timeoutInterval == 30)
    }

    @Test(
        "An upper-case scheme is lowered, and nothing else of the URL",
        arguments: [
            ("HTTP://u:p@Host:80/%7e/a%2Fb;x?q=a+b&c=%20#f", "http://u:p@Host:80/%7e/a%2Fb;x?q=a+b&c=%20#f"),
            ("Https://h", "https://h"), ("HTTP://[::1]:80/x", "http://[::1]:80/x"),
        ])
    func scheme(string: String, expected: String) throws {
        #expect(try fixtureRequest(string).validated().url?.absoluteString == expected)
    }

    @Test("A relative URL is judged by its base")
    func relative() throws {
        let url = try #require(URL(string: "b?x=1", relativeTo: URL(string: "HTTP://h/a/")))
        #expect(try URLRequest(url: url).validated().url?.absoluteString == "http://h/a/b?x=1")
    }

    @Test("A missing URL is refused")
    func missingURL() throws {
        var request = try fixtureRequest()
        request.url = nil
        #expect(throws: InvalidRequestError.missingURL) { try request.validated() }
    }

    @Test("A URL without a scheme is refused", arguments: ["posts", "/posts", "//example.com/posts"])
    func missingScheme(string: String) throws {
        let request = try fixtureRequest(string)
        #expect(throws: InvalidRequestError.missingScheme(url: try URL(fixture: string))) { try request.validated() }
    }

    @Test(
        "Schemes other than http and https are refused",
        arguments: ["ftp", "FILE", "data", "ws", "httpx", "mailto", "javascript"])
    func unsupportedScheme(scheme: String) throws {
        let request = try fixtureRequest("\(scheme)://example.com/")
        let error = InvalidRequestError.unsupportedScheme(scheme, url: try URL(fixture: "\(scheme)://example.com/"))
        #expect(throws: error) { try request.validated() }
        #expect(error.localizedDescription.contains(scheme))
    }

    @Test(
        "A URL without a host is refused",
        arguments: ["http:", "http://", "http:///a", "https://:80/x", "http://u:p@/x", "HTTP:a", "http://?q"])
    func missingHost(string: String) throws {
        let request = try fixtureRequest(string)
        #expect(throws: InvalidRequestError.missingHost(url: try URL(fixture: string))) { try request.validated() }
    }

    @Test("A method that is no token is refused", arguments: ["", "GET /", "G\r\nX: y", "GÉT", "A:B", "A\0"])
    func method(method: String) throws {
        var request = try fixtureRequest()
        request.httpMethod = method
        let error = try #require(throws: InvalidRequestError.self) { try request.validated() }
        #expect(error == .invalidMethod(method, url: try URL(fixture: "https://example.com/posts")))
        #expect(error.localizedDescription.contains(method.debugDescription))
    }

    @Test("Methods of other standards pass", arguments: ["PROPFIND", "M-SEARCH", "purge"])
    func otherMethods(method: String) throws {
        var request = try fixtureRequest()
        request.httpMethod = method
        #expect(try request.validated().httpMethod == method)
    }

    @Test(
        "A header name that is no token is refused",
        arguments: ["", "Bad Name", "C:D", "Nä", "Z\r\nInjected: y", "N\0", "Tab\t", "(a)", "a/b", "a\"b"])
    func headerName(name: String) throws {
        var request = try fixtureRequest()
        request.allHTTPHeaderFields = [name: "secret"]
        let error = try #require(throws: InvalidRequestError.self) { try request.validated() }
        #expect(error == .invalidHeaderName(name, url: try URL(fixture: "https://example.com/posts")))
        #expect(error.localizedDescription.contains(name.debugDescription))
        #expect(!error.localizedDescription.contains("secret"))
        #expect(!error.localizedDescription.contains("\n"))
    }

    @Test(
        "A header value with a control character is refused",
        arguments: ["\r\n", "\n", "\r", "\0", "\u{1}", "\u{7}", "\u{1B}", "\u{1F}", "\u{7F}", "\u{85}", "\u{9F}"])
    func headerValue(control: String) throws {
        var request = try fixtureRequest()
        request.allHTTPHeaderFields = ["Authorization": "secret\(control)rest"]
        let error = try #require(throws: InvalidRequestError.self) { try request.validated() }
        let url = try URL(fixture: "https://example.com/posts")
        #expect(error == .invalidHeaderValue(name: "Authorization", url: url))
        #expect(error.localizedDescription.contains("\"Authorization\""))
        #expect(!error.localizedDescription.contains("secret"))
    }

    @Test("Of several wrong headers the first by name is named")
    func firstHeader() throws {
        var request = try fixtureRequest()
        request.allHTTPHeaderFields = ["C": "\0", "B": "\0", "A": "fine", "D d": ""]
        let url = try URL(fixture: "https://example.com/posts")
        #expect(throws: InvalidRequestError.invalidHeaderValue(name: "B", url: url)) { try request.validated() }
    }

    @Test("A Content-Length of the caller is dropped, however it is written")
    func contentLength() throws {
        var request = try fixtureRequest()
        request.allHTTPHeaderFields = ["content-LENGTH": "3", "Content-Length": "4", "X-Content-Length": "5"]
        #expect(try request.validated().allHTTPHeaderFields == ["X-Content-Length": "5"])
    }

    @Test("A Transfer-Encoding of the caller is dropped, as nobody sends what it promises")
    func transferEncoding() throws {
        var request = try fixtureRequest()
        request.allHTTPHeaderFields = ["transfer-ENCODING": "chunked", "Transfer-Encoding": "gzip", "TE": "trailers"]
        #expect(try request.validated().allHTTPHeaderFields == ["TE": "trailers"])
    }

    @Test(
        "The timeout becomes whole seconds from 1 to 1e9",
        arguments: [
            (0.2, 1.0), (1, 1), (1.1, 2), (59.999, 60), (60, 60), (1e9, 1e9), (1e12, 1e9), (1e300, 1e9),
            (.infinity, 1e9), (0, 60), (-0.0, 60), (-1, 60), (-.infinity, 60), (.nan, 60), (.leastNonzeroMagnitude, 1),
        ])
    func timeout(timeout: TimeInterval, expected: TimeInterval) throws {
        var request = try fixtureRequest()
        request.timeoutInterval = timeout
        #expect(try request.validated().timeoutInterval == expected)
    }

    @Test("Every error says what to do, and keeps the secrets of the URL")
    func texts() throws {
        let url = try URL(fixture: "https://user:word@example.com/posts?token=secret#part")
        let errors: [InvalidRequestError] = [
            .missingScheme(url: url), .unsupportedScheme("ftp", url: url), .missingHost(url: url),
            .invalidMethod("A B", url: url), .invalidHeaderName("A B", url: url),
            .invalidHeaderValue(name: "A", url: url), .bodyInGet(url: url), .invalidURL(baseURL: url, path: "p"),
            .pathLeavesBase(baseURL: url, path: "../p"),
        ]
        #expect(Set(errors.map(\.errorKey)).count == errors.count)
        for error in errors {
            #expect(error.url == url)
            #expect(error.localizedDescription.contains("https://example.com/posts?…"))
            #expect(error.localizedDescription.split(separator: ". ").count == 2)
            for secret in ["user", "word", "secret", "part"] {
                #expect(!error.localizedDescription.contains(secret))
            }
        }
        #expect(InvalidRequestError.missingURL.url == nil)
        #expect(InvalidRequestError.missingURL.localizedDescription.contains("URL"))
    }

    @Test(
        "A URL without its scheme or with another number of slashes doesn't show its user and password",
        arguments: [
            ("admin:secret@example.com/api?token=t", "<redacted>@example.com/api?token=<redacted>"),
            ("admin:secret@example.com//a", "<redacted>@example.com//a"),
            ("admin:/s@cret@example.com", "<redacted>@example.com"),
            ("https:/admin:secret@example.com/", "https:/<redacted>@example.com/"),
            ("https:///admin:secret@example.com/", "https:///<redacted>@example.com/"),
            ("HTTP:admin:secret@example.com:80", "HTTP:<redacted>@example.com:80"),
            ("sip:admin:secret@example.com", "sip:<redacted>@example.com"),
        ])
    func misreadUsers(text: String, shown: String) throws {
        let request = try fixtureRequest(text)
        let error = try #require(throws: InvalidRequestError.self) { try request.validated() }
        #expect(request.curl() == "curl --url '\(shown)'")
        #expect(request.curl(redacting: .none) == "curl --url '\(text)'")
        #expect(error.localizedDescription.contains("<redacted>@example.com"))
        for secret in ["admin", "secret", "cret"] { #expect(!error.localizedDescription.contains(secret)) }
    }

    @Test(
        "An at sign elsewhere does no harm",
        arguments: [
            "localhost:8080/a@b", "data:text/plain,a@b", "data:,a@b", "file:///a@b", "/a:b@c", "a@b/c:d",
            "https://h/a:b@c", "mailto:info@example.com", "XMPP:info@example.com", "acct:info@example.com",
        ])
    func otherAtSigns(text: String) throws {
        #expect(try url(text).text(redacting: .secrets) == text)
    }

    @Test(
        "The error names the scheme of an address",
        arguments: ["mailto:info@example.com", "xmpp:info@example.com", "acct:info@example.com", "data:,a@b"])
    func schemesOfAddresses(text: String) throws {
        let request = try fixtureRequest(text)
        let error = try #require(throws: InvalidRequestError.self) { try request.validated() }
        let scheme = try #require(request.url?.scheme)
        #expect(error == .unsupportedScheme(scheme, url: try url(text)))
        #expect(error.localizedDescription.contains("\(text) has the scheme"))
        #expect(!error.localizedDescription.contains("redacted"))
    }

    @Test("A long text is cut")
    func longTexts() throws {
        let url = try URL(fixture: "data:text/plain,\(String(repeating: "x", count: 100_000))")
        let error = InvalidRequestError.unsupportedScheme(String(repeating: "y", count: 100_000), url: url)
        #expect(error.localizedDescription.count < 600)
    }
}
