import Foundation
import LoopbackServer
import Testing

@Suite("Loopback server: connections", .timeLimit(.minutes(10)))
struct LoopbackConnectionTests {
    @Test("A connection serves one request after another, pipelined ones too")
    func keepAlive() throws {
        let server = try LoopbackServer.start()
        let client = try RawClient(port: server.port)
        for id in 1...20 {
            try client.request("GET", "/posts/\(id)")
            #expect(try client.response().json()["id"] as? Int == id)
        }
        let request = "POST /echo/body HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"
        try client.send((0..<50).map { "\(request)\(100 + $0)" }.joined())
        for index in 0..<50 { #expect(try client.response().text == "\(100 + index)") }
        #expect(server.acceptedConnections == 1)
        #expect(Set(server.requests.map(\.connection)) == [1])
    }

    @Test("A request may come a byte at a time")
    func slowClient() throws {
        let server = try LoopbackServer.start()
        let client = try RawClient(port: server.port)
        for byte in "\r\nPOST /echo/body HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi".utf8 {
            try client.send(Data([byte]))
        }
        #expect(try client.response().text == "hi")
    }

    @Test("Requests are recorded with order and spelling of their headers")
    func recording() throws {
        let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 2))
        let client = try RawClient(port: server.port)
        try client.request("GET", "/text")
        _ = try client.response()
        try client.request("POST", "/echo?q=1", headers: ["x-LOWER: 1", "X-Twice: a", "X-Twice: b"], body: "body")
        _ = try client.response()
        try client.request("GET", "/text")
        _ = try client.response()
        #expect(server.requestCount() == 3)
        #expect(server.requestCount(path: "/text") == 2)
        #expect(server.requests.map(\.path) == ["/echo", "/text"])
        let recorded = try #require(server.requests(path: "/echo").first)
        #expect(recorded.method == "POST")
        #expect(recorded.target == "/echo?q=1")
        #expect(recorded.query == "q=1")
        #expect(recorded.body == Data("body".utf8))
        #expect(recorded.headers.map(\.name) == ["Host", "x-LOWER", "X-Twice", "X-Twice", "Content-Length"])
        #expect(recorded.header("X-Lower") == "1")
        server.forgetRequests()
        #expect(server.requestCount() == 0)
    }

    @Test("HEAD gets what GET gets, without the body")
    func head() throws {
        let server = try LoopbackServer.start()
        let client = try RawClient(port: server.port)
        try client.request("HEAD", "/posts/1")
        let head = try client.response(hasBody: false)
        try client.request("GET", "/posts/1")
        #expect(try client.response().head == head.head)
    }

    @Test("Bodies of any size are counted and digested, by length and in chunks")
    func sink() throws {
        let server = try LoopbackServer.start()
        let client = try RawClient(port: server.port)
        let body = LoopbackPattern.data(count: 3_000_001)
        let digest = LoopbackDigest.hexadecimal(LoopbackPattern.digest(count: 3_000_001))
        let expected = "{\"count\":3000001,\"digest\":\"\(digest)\"}"
        try client.send("PUT /sink HTTP/1.1\r\nHost: x\r\nContent-Length: 3000001\r\n\r\n")
        try client.send(body)
        #expect(try client.response().text == expected)
        try client.send("PUT /sink HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for start in stride(from: 0, to: body.count, by: 700_001) {
            let chunk = body.dropFirst(start).prefix(700_001)
            try client.send(Data("\(String(chunk.count, radix: 16));x=y\r\n".utf8) + chunk + Data("\r\n".utf8))
        }
        try client.send("0\r\nX-Trailer: 1\r\n\r\n")
        #expect(try client.response().text == expected)
        #expect(server.requests.allSatisfy { $0.body.isEmpty && $0.bodyLength == 3_000_001 })
    }

    @Test("A client that expects 100 Continue gets it")
    func expectContinue() throws {
        let server = try LoopbackServer.start()
        let client = try RawClient(port: server.port)
        try client.request("POST", "/echo/body", headers: ["Expect: 100-continue", "Content-Length: 4"])
        #expect(try client.response().status == 100)
        try client.send("body")
        #expect(try client.response().text == "body")
    }

    @Test("A route may answer without reading the body, and then closes")
    func earlyReply() throws {
        let server = try LoopbackServer.start()
        let client = try RawClient(port: server.port)
        try client.request("POST", "/early-reply", headers: ["Content-Length: 1000000"])
        let response = try client.response()
        #expect(response.status == 413)
        #expect(response.header("Connection") == "close")
    }

    /// A request that the server has to refuse; the name keeps the log short.
    struct Malformed: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let status: Int

        init(_ name: String, _ status: Int, _ text: String) {
            testDescription = name
            self.text = text
            self.status = status
        }

        /// A good request but for these header lines.
        init(_ name: String, _ status: Int, method: String = "GET", lines: String, rest: String = "\r\n\r\n") {
            self.init(name, status, "\(method) /echo HTTP/1.1\r\nHost: x\r\n\(lines)\(rest)")
        }

        static let all = [
            Malformed("nonsense", 400, "nonsense\r\n\r\n"),
            Malformed("empty target", 400, "GET  / HTTP/1.1\r\nHost: x\r\n\r\n"),
            Malformed("unknown version", 505, "GET / HTTP/2.7\r\nHost: x\r\n\r\n"),
            Malformed("no host", 400, "GET / HTTP/1.1\r\n\r\n"),
            Malformed("relative target", 400, "GET x HTTP/1.1\r\nHost: x\r\n\r\n"),
            Malformed("blank in a name", 400, lines: "Bad Name: x"),
            Malformed("folded line", 400, lines: "A: 1\r\n 2"),
            Malformed("negative length", 400, lines: "Content-Length: -1"),
            Malformed("two lengths", 400, lines: "Content-Length: 1\r\nContent-Length: 2"),
            Malformed("length and chunks", 400, lines: "Content-Length: 1\r\nTransfer-Encoding: chunked"),
            Malformed("bad chunk", 400, method: "PUT", lines: "Transfer-Encoding: chunked", rest: "\r\n\r\nzz\r\n"),
            Malformed("large body", 413, method: "PUT", lines: "Content-Length: 99"),
            Malformed(
                "large chunk", 413, method: "PUT", lines: "Transfer-Encoding: chunked",
                rest: "\r\n\r\n63\r\n\(String(repeating: "x", count: 99))"),
            Malformed("large head", 431, lines: "X: \(String(repeating: "x", count: 5_000))"),
            Malformed("endless head", 431, lines: "X: \(String(repeating: "x", count: 50_000))", rest: ""),
        ]
    }

    @Test("A malformed request is refused, and the connection closed", arguments: Malformed.all)
    func malformed(_ malformed: Malformed) throws {
        let server = try LoopbackServer.start(limits: LoopbackLimits(headBytes: 4_096, bodyBytes: 98))
        let client = try RawClient(port: server.port)
        try client.send(malformed.text)
        let response = try client.response()
        #expect(response.status == malformed.status)
        #expect(response.header("Connection") == "close")
        #expect(try client.rest().data.isEmpty)
        #expect(server.requestCount() == 0)
    }

    @Test("A client that asks for it, or speaks HTTP/1.0, has its connection closed")
    func close() throws {
        let server = try LoopbackServer.start()
        for text in ["GET /text HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET /text HTTP/1.0\r\n\r\n"] {
            let client = try RawClient(port: server.port)
            try client.send(text)
            #expect(try client.response().header("Connection") == "close")
            #expect(try client.rest() == (Data(), .closed))
        }
        server.handle("GET", "/last", reply: .response(headers: [LoopbackHeader("Connection", "close")]))
        let client = try RawClient(port: server.port)
        try client.request("GET", "/last")
        #expect(try client.response().status == 200)
        #expect(try client.rest() == (Data(), .closed))
    }

    @Test("Two hundred connections are served at once")
    func manyConnections() async throws {
        let server = try LoopbackServer.start()
        let gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("through").gated(by: gate))
        let clients = try (0..<200).map { _ in try RawClient(port: server.port) }
        for client in clients { try client.request("GET", "/gated") }
        try await gate.waitForArrivals(200)
        #expect(server.openConnections == 200)
        #expect(server.activeRequests == 200)
        gate.open()
        for client in clients { #expect(try client.response().text == "through") }
        try await server.waitUntilIdle()
    }

    @Test("Connections beyond the limit wait for their turn")
    func connectionLimit() async throws {
        let server = try LoopbackServer.start(limits: LoopbackLimits(connections: 2))
        var clients = try (0..<3).map { _ in try RawClient(port: server.port) }
        for client in clients { try client.request("GET", "/text") }
        _ = try clients[0].response()
        _ = try clients[1].response()
        #expect(server.acceptedConnections == 2)
        clients.removeFirst()
        #expect(try clients[1].response().status == 200)
        #expect(server.acceptedConnections == 3)
    }
}
