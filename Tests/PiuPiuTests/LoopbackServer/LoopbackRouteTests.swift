import Foundation
import LoopbackServer
import Testing

@Suite("Loopback server: routes", .timeLimit(.minutes(10)))
struct LoopbackRouteTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer.start()
        client = try RawClient(port: server.port)
    }

    private func get(_ target: String, headers: [String] = []) throws -> RawResponse {
        try client.request("GET", target, headers: headers)
        return try client.response()
    }

    @Test("Posts, users and comments can be read")
    func placeholderReads() throws {
        #expect(try get("/posts").jsonArray().count == 100)
        #expect(try get("/posts?userId=3").jsonArray().compactMap { $0["id"] as? Int } == Array(21...30))
        #expect(try get("/posts/7").json()["id"] as? Int == 7)
        #expect(try get("/posts/7/comments").jsonArray().compactMap { $0["id"] as? Int } == Array(31...35))
        #expect(try get("/comments?postId=7").jsonArray().count == 5)
        #expect(try get("/comments").jsonArray().count == 500)
        #expect(try get("/users").jsonArray().count == 10)
        #expect(try get("/users/2").json()["username"] as? String == "Grace")
    }

    @Test("Unknown paths and records are answered with 404", arguments: ["/posts/101", "/posts/x", "/users/0", "/no"])
    func notFound(_ target: String) throws {
        let response = try get(target)
        #expect(response.status == 404)
        #expect(response.text == "{}")
    }

    @Test("Writes to posts are answered as if they were stored")
    func placeholderWrites() throws {
        try client.request("POST", "/posts", body: "{\"title\":\"new\"}")
        let created = try client.response()
        #expect(created.status == 201)
        #expect(created.text == "{\"id\":101,\"title\":\"new\"}")
        try client.request("PUT", "/posts/5", body: "{\"title\":\"put\"}")
        #expect(try client.response().text == "{\"id\":5,\"title\":\"put\"}")
        try client.request("PATCH", "/posts/5", body: "{\"title\":\"patched\"}")
        let patched = try client.response().json()
        #expect(patched["title"] as? String == "patched")
        #expect(patched["userId"] as? Int == 1)
        try client.request("DELETE", "/posts/5")
        #expect(try client.response().text == "{}")
    }

    @Test("An echo shows method, path, query, headers and body")
    func echo() throws {
        try client.request("PUT", "/echo?a=1%202&b=%C3%BC", headers: ["X-Own: Yes"], body: "hello")
        let echo = try client.response().json()
        #expect(echo["method"] as? String == "PUT")
        #expect(echo["path"] as? String == "/echo")
        #expect(echo["query"] as? [String: String] == ["a": "1 2", "b": "ü"])
        #expect((echo["headers"] as? [String: String])?["X-Own"] == "Yes")
        #expect(echo["body"] as? String == "hello")
        try client.request("POST", "/echo/body", headers: ["Content-Type: text/x"], body: "as it is")
        let body = try client.response()
        #expect(body.text == "as it is")
        #expect(body.header("Content-Type") == "text/x")
    }

    @Test("Each status can be asked for", arguments: [200, 204, 304, 400, 418, 500, 503])
    func status(_ code: Int) throws {
        let response = try get("/status/\(code)")
        #expect(response.status == code)
        #expect(response.text == (code == 204 || code == 304 ? "" : "{\"status\":\(code)}"))
    }

    @Test("As many bytes come as requested, by length and in chunks")
    func bytes() throws {
        let body = try get("/bytes/1000000").body
        #expect(body == LoopbackPattern.data(count: 1_000_000))
        #expect(LoopbackDigest.of(body) == LoopbackPattern.digest(count: 1_000_000))
        #expect(try get("/chunked/2/5").header("Transfer-Encoding") == "chunked")
        let part = LoopbackPattern.data(count: 5)
        let expected = Data("5\r\n".utf8) + part + Data("\r\n5\r\n".utf8) + part + Data("\r\n0\r\n\r\n".utf8)
        #expect(try client.bytes(expected.count) == expected)
        #expect(try get("/headers/3/10").lines.filter { $0.hasPrefix("X-Header-") }.count == 3)
    }

    @Test("As many events come as requested, a chunk each")
    func events() throws {
        let head = try get("/events?count=2")
        #expect(head.header("Content-Type") == "text/event-stream")
        #expect(head.header("Transfer-Encoding") == "chunked")
        let chunks = ["id: 1\ndata: event 1\n\n", "id: 2\ndata: event 2\n\n"].map { "15\r\n\($0)\r\n" }
        let expected = Data((chunks.joined() + "0\r\n\r\n").utf8)
        #expect(try client.bytes(expected.count) == expected)
        #expect(try get("/events?count=-1").status == 400)
    }

    @Test("Redirects go on, keep their status, and end where they should")
    func redirects() throws {
        let first = try get("/redirect/2?status=307")
        #expect(first.status == 307)
        #expect(first.header("Location") == "/redirect/1?status=307")
        #expect(try get("/redirect/0").json()["path"] as? String == "/redirect/0")
        let elsewhere = try get("/redirect-to?url=http%3A%2F%2Flocalhost%3A1%2Fx&status=308")
        #expect(elsewhere.status == 308)
        #expect(elsewhere.header("Location") == "http://localhost:1/x")
        #expect(try get("/redirect-loop").header("Location") == "/redirect-loop")
        #expect(try get("/redirect-without-location").header("Location") == nil)
    }

    @Test("A redirect can lead to the server's other name, and back")
    func otherHost() throws {
        let port = server.port
        try client.send("GET /redirect-to-other-host HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        #expect(try client.response().header("Location") == "http://localhost:\(port)/echo")
        let target = "/redirect-to-other-host?status=307&path=/text"
        try client.send("GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
        let back = try client.response()
        #expect(back.status == 307)
        #expect(back.header("Location") == "http://127.0.0.1:\(port)/text")
    }

    @Test("Basic authentication accepts the right credentials")
    func authentication() throws {
        let refused = try get("/basic-auth/me/secret")
        #expect(refused.status == 401)
        #expect(refused.header("WWW-Authenticate") == "Basic realm=\"loopback\"")
        let credentials = Data("me:secret".utf8).base64EncodedString()
        #expect(try get("/basic-auth/me/secret", headers: ["Authorization: Basic \(credentials)"]).status == 200)
    }

    @Test("Cookies are set and shown")
    func cookies() throws {
        #expect(try get("/cookies/set?a=1").header("Set-Cookie") == "a=1; Path=/")
        #expect(try get("/cookies", headers: ["Cookie: a=1; b=2"]).text == "{\"a\":\"1\",\"b\":\"2\"}")
    }

    @Test("Bodies of other kinds: none, bad JSON, text, gzip; and an interim response")
    func otherBodies() throws {
        #expect(try get("/empty").body.isEmpty)
        #expect(try get("/text").text == "Grüße von 127.0.0.1\n")
        let malformed = try get("/malformed-json")
        #expect(throws: (any Error).self) { try malformed.json() }
        let gzip = try get("/gzip")
        #expect(gzip.header("Content-Encoding") == "gzip")
        #expect(gzip.body.prefix(3) == Data([0x1F, 0x8B, 8]))
        #expect(try get("/gzip-corrupt").body != gzip.body)
        #expect(try get("/early-hints").status == 103)
        #expect(try client.response().text == "{\"hinted\":true}")
        #expect(try get("/delay/20").text == "{\"delay\":20}")
    }

    @Test("Own routes come before the others, and may have parameters and a wildcard")
    func ownRoutes() throws {
        server.handle("GET", "/posts/{id}") { .text("own \($0.parameters["id"] ?? "")") }
        server.handle("*", "/files/*", reply: .text("file"))
        #expect(try get("/posts/a%20b").text == "own a b")
        #expect(try get("/files/a/b/c").text == "file")
        #expect(try get("/posts/1/comments").jsonArray().count == 5)
    }
}
