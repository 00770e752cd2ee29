import Foundation
import LoopbackServer
import Testing

@Suite("Loopback server: faults", .timeLimit(.minutes(10)))
struct LoopbackFaultTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer.start()
        client = try RawClient(port: server.port)
    }

    @Test("A connection can be closed, or reset, without an answer")
    func noAnswer() throws {
        try client.request("GET", "/fault/close")
        #expect(try client.rest() == (Data(), .closed))
        let other = try RawClient(port: server.port)
        try other.request("GET", "/fault/reset")
        #expect(try other.rest() == (Data(), .reset))
    }

    @Test(
        "A body can be shorter or longer than its length says, or be cut off",
        arguments: [
            ("reset-mid-body", 100, 50, RawClient.End.reset), ("truncate", 100, 50, .closed),
            ("overlong", 50, 100, .closed), ("huge-length", Int.max, 10, .closed),
        ])
    func wrongLength(_ name: String, _ length: Int, _ sent: Int, _ end: RawClient.End) throws {
        try client.request("GET", "/fault/\(name)")
        #expect(try client.response(hasBody: false).header("Content-Length") == String(length))
        #expect(try client.rest() == (LoopbackPattern.data(count: sent), end))
    }

    @Test(
        "Chunks can be bad, cut off, or followed by trailers",
        arguments: [
            ("bad-chunk", "4\r\ngood\r\nzebra\r\nbad\r\n"), ("truncate-chunk", "4\r\ngood\r\n10\r\nhalf"),
            ("trailers", "4\r\nbody\r\n0\r\nX-Checksum: abc\r\n\r\n"),
        ])
    func chunks(_ name: String, _ body: String) throws {
        try client.request("GET", "/fault/\(name)", headers: ["Connection: close"])
        #expect(try client.response().header("Transfer-Encoding") == "chunked")
        #expect(try client.rest() == (Data(body.utf8), .closed))
    }

    @Test("A head can be garbage, incomplete or huge")
    func heads() throws {
        try client.request("GET", "/fault/huge-headers")
        #expect(try client.response().header("X-Header-0")?.count == 64 * 1024)
        try client.request("GET", "/fault/header-flood")
        #expect(try client.response().lines.count > 10_000)
        try client.request("GET", "/fault/garbage")
        #expect(try client.rest() == (Data("\u{1}\u{2}garbage, not a status line\r\n\r\n".utf8), .closed))
        let other = try RawClient(port: server.port)
        try other.request("GET", "/fault/close-mid-head")
        #expect(try other.rest() == (Data("HTTP/1.1 200 OK\r\nContent-Type: text/pl".utf8), .closed))
    }

    @Test(
        "A stalled connection ends when the server stops", arguments: ["stall", "stall-after-head", "stall-mid-body"])
    func stallUntilStop(_ name: String) async throws {
        try client.request("GET", "/fault/\(name)")
        try await server.waitForRequests(path: "/fault/\(name)")
        if name != "stall" { #expect(try client.response(hasBody: false).header("Content-Length") == "100") }
        if name == "stall-mid-body" { #expect(try client.bytes(50) == LoopbackPattern.data(count: 50)) }
        server.stop()
        #expect(try client.rest().data.isEmpty)
        #expect(server.openConnections == 0)
    }

    @Test(
        "A client that disconnects ends a stall, a pause and a gate, whatever it has sent before",
        arguments: [LoopbackReply.stall, .text("late").delayed(seconds: 1_000), .text("").gated(by: LoopbackGate())])
    func leavingClient(_ reply: LoopbackReply) async throws {
        server.handle("GET", "/wait", reply: reply)
        do {
            let leaving = try RawClient(port: server.port)
            try leaving.request("GET", "/wait")
            try leaving.send("GET /never-read HTTP/1.1\r\n")
            try await server.waitForRequests(path: "/wait")
        }
        // Only the suite's own client stays.
        try await server.waitForAcceptedConnections(2)
        try await server.waitForClosedConnections(downTo: 1)
        #expect(server.activeRequests == 0)
    }

    @Test("Chunks can be held back one by one")
    func gatedChunks() async throws {
        let gates = [LoopbackGate(), LoopbackGate()]
        server.handle(
            "GET", "/gated", reply: .chunked([Data("one".utf8), Data("two".utf8)]) { [.gate(gates[$0])] })
        try client.request("GET", "/gated")
        #expect(try client.response().status == 200)
        try await gates[0].waitForArrivals()
        gates[0].open()
        #expect(try client.bytes(8) == Data("3\r\none\r\n".utf8))
        try await gates[1].waitForArrivals()
        #expect(!gates[1].isOpen)
        gates[1].open()
        #expect(try client.bytes(13) == Data("3\r\ntwo\r\n0\r\n\r\n".utf8))
    }

    @Test(
        "A status that allows no body can have one",
        arguments: [("no-content-with-body", 204), ("not-modified-with-body", 304)])
    func forbiddenBody(_ name: String, _ status: Int) throws {
        try client.request("GET", "/fault/\(name)")
        let response = try client.response(hasBody: false)
        #expect(response.status == status)
        #expect(response.header("Content-Length") == "10")
        #expect(try client.rest() == (LoopbackPattern.data(count: 10), .closed))
    }

    @Test("A body can be something else than its type says")
    func wrongContentType() throws {
        try client.request("GET", "/fault/wrong-content-type")
        let response = try client.response()
        #expect(response.header("Content-Type") == "image/png")
        #expect(try response.json()["id"] as? Int == 1)
    }

    @Test("Every fault has its route")
    func names() {
        #expect(Set(LoopbackRoutes.faultNames).count == 19)
        #expect(LoopbackRoutes.faultNames.count == LoopbackRoutes.faults.routes.count)
    }
}
