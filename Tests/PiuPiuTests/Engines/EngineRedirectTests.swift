import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The session engine: redirects", .timeLimit(.minutes(10)))
struct EngineRedirectTests {
    private let server: LoopbackServer
    private let engine = URLSessionEngine(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    private func redirect(to target: URL, status: Int = 302) throws -> URL {
        var components = try #require(URLComponents(url: server.url("/redirect-to"), resolvingAgainstBaseURL: true))
        components.queryItems = [
            URLQueryItem(name: "url", value: target.absoluteString), URLQueryItem(name: "status", value: "\(status)"),
        ]
        return try #require(components.url)
    }

    @Test func aChainIsFollowed() async throws {
        let updates = Log<TransferUpdate>()
        let output = try await engine.load(server.url("/redirect/20"), updates: updates)
        #expect(output.head.status == 200)
        #expect(output.request.url == server.url("/redirect/0"))
        #expect(output.head.url == server.url("/redirect/0"))
        #expect(updates.all.map(\.stage) == [.started, .responded, .received])
    }

    @Test("A chain or a loop that is too long", arguments: ["/redirect/21", "/redirect-loop"])
    func tooMany(path: String) async throws {
        let failure = await engine.failure(server.url(path))
        #expect((failure as? TransferError)?.kind == .tooManyRedirects)
    }

    @Test func aRedirectWithoutALocationIsAResponse() async throws {
        server.handle("GET", "/nowhere", reply: .text("sorry", status: 302))
        let updates = Log<TransferUpdate>()
        let output = try await engine.load(server.url("/nowhere"), updates: updates)
        #expect(output.head.status == 302)
        #expect(updates.all.map(\.stage).prefix(2) == [.started, .responded])
        #expect(try await engine.load(server.url("/redirect-without-location")).head.status == 302)
    }

    @Test(
        "A location without a fragment inherits that of the request (RFC 9110, section 10.2.2)",
        arguments: [("/b", "top"), ("/b#x", "x")])
    func fragment(location: String, expected: String) async throws {
        server.handle("GET", "/a", reply: .redirect(302, to: location))
        server.handle("GET", "/b", reply: .text("b"))
        let dispatcher = URLRequestDispatcher(engine: makeStandardEngine(.ephemeral))
        let request = URLRequest(url: try #require(URL(string: "\(server.url("/a").absoluteString)#top")))
        let response = try await dispatcher.dataFuture(from: request).value
        #expect(response.urlRequest.url?.fragment() == expected)
        #expect(server.requests.map(\.path) == ["/a", "/b"])
    }

    @Test(
        "A redirect that leads nowhere delivers its body", arguments: [300, 301, 302, 303, 305, 307, 308],
        [nil, "", "http://["])
    func bodyOfADeadEnd(status: Int, location: String?) async throws {
        let headers = location.map { [LoopbackHeader("Location", $0)] } ?? []
        server.handle("GET", "/nowhere", reply: .text("sorry", status: status, headers: headers))
        // URLSession on Linux doesn't deliver the body of a redirect.
        let dispatcher = URLRequestDispatcher(engine: makeStandardEngine(.ephemeral))
        let response = try await dispatcher.dataFuture(from: server.request("/nowhere")).value
        #expect(response.head.status == status && response.data.text == "sorry")
    }

    @Test("Credentials aren't sent to another origin", arguments: [301, 302, 303, 307, 308])
    func credentials(status: Int) async throws {
        let other = try LoopbackServer.start()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer of-the-configuration"]
        let headers = ["Cookie": "secret=1", "X-Other": "kept"]
        let engine = URLSessionEngine(configuration: configuration)
        for target in [other.url("/echo"), try url("http://localhost:\(server.port)/echo")] {
            let output = try await engine.load(redirect(to: target, status: status), headers: headers)
            let echo = try Echo(output.data)
            #expect(echo.header("Authorization") == nil)
            #expect(echo.header("Cookie") == nil)
            #expect(echo.header("X-Other") == "kept")
        }
        let same = try Echo(try await engine.load(redirect(to: server.url("/echo")), headers: headers).data)
        #expect(same.header("Authorization") == "Bearer of-the-configuration")
        #expect(same.header("Cookie") == "secret=1")
    }

    @Test("A redirect that keeps the method keeps the body", arguments: [307, 308])
    func bodyIsKept(status: Int) async throws {
        let body = LoopbackPattern.data(count: 100_000).base64EncodedData()
        let output = try await engine.load(
            server.url("/redirect/3?status=\(status)"), method: "POST", headers: ["Content-Type": "text/plain"],
            body: body)
        let echo = try Echo(output.data)
        #expect(echo.method == "POST")
        #expect(Data(echo.body.utf8) == body)
        #expect(echo.header("Content-Type") == "text/plain")
        #expect(output.request.url?.path() == "/redirect/0")
    }

    @Test("A POST becomes a GET", arguments: [301, 302, 303])
    func bodyIsDropped(status: Int) async throws {
        let output = try await engine.load(
            server.url("/redirect/2?status=\(status)"), method: "POST", headers: ["Content-Type": "text/plain"],
            body: Data("body".utf8))
        let echo = try Echo(output.data)
        #expect(echo.method == "GET")
        #expect(echo.body.isEmpty)
        #expect(echo.header("Content-Type") == nil)
        #expect(output.request.httpMethod == "GET")
    }

    @Test("A PUT stays a PUT", arguments: [301, 302, 307])
    func putIsKept(status: Int) async throws {
        let output = try await engine.load(
            server.url("/redirect/1?status=\(status)"), method: "PUT", body: Data("body".utf8))
        let echo = try Echo(output.data)
        #expect(echo.method == "PUT")
        #expect(echo.body == "body")
    }

    @Test("Another scheme isn't followed", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/"])
    func otherSchemes(target: String) async throws {
        let failure = await engine.failure(try redirect(to: try url(target)))
        #expect((failure as? TransferError)?.kind == .unsupportedURL, "\(String(describing: failure))")
    }
}
