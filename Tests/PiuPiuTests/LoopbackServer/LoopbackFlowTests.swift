import Foundation
import LoopbackServer
import Testing

@Suite("Loopback server: counted bodies", .timeLimit(.minutes(10)))
struct LoopbackFlowTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer.start()
        client = try RawClient(port: server.port)
    }

    @Test("A client that doesn't read stops the sending, and one that reads again gets the rest")
    func backPressure() async throws {
        let count = 64 * 1024 * 1024, path = "/flow/\(count)"
        try client.request("GET", path)
        #expect(try client.response(hasBody: false).header("Content-Length") == String(count))
        try await server.waitForBytesSent(1, path: path)
        try await server.waitUntilSendingPauses(path: path)
        let sent = server.bytesSent(path: path)
        #expect(sent > 0)
        #expect(sent < count)
        var digest = LoopbackDigest()
        var rest = count
        while rest > 0 {
            let part = try client.bytes(min(rest, 1024 * 1024))
            part.withUnsafeBytes { digest.update($0) }
            rest -= part.count
        }
        #expect(digest.value == LoopbackPattern.digest(count: count))
        try await server.waitForBytesSent(count, path: path)
        try await server.waitUntilSendingPauses(path: path)
        #expect(server.bytesSent(path: path) == count)
        server.forgetRequests()
        #expect(server.bytesSent(path: path) == 0)
    }

    @Test("The bytes of all replies to a path are counted, a HEAD has none")
    func sum() async throws {
        for _ in 0..<3 {
            try client.request("GET", "/flow/70000")
            #expect(try client.response().body == LoopbackPattern.data(count: 70_000))
        }
        try client.request("HEAD", "/flow/70000")
        _ = try client.response(hasBody: false)
        try client.request("GET", "/flow/0")
        #expect(try client.response().body.isEmpty)
        #expect(server.bytesSent(path: "/flow/70000") == 210_000)
        #expect(server.bytesSent(path: "/flow/0") == 0)
        try await server.waitUntilSendingPauses(path: "/flow/0")
    }

    @Test("A client that disconnects ends the sending")
    func leavingClient() async throws {
        let path = "/flow/100000000000"
        do {
            let leaving = try RawClient(port: server.port)
            try leaving.request("GET", path)
            try await server.waitForBytesSent(100_000, path: path)
        }
        try await server.waitForAcceptedConnections(2)
        try await server.waitForClosedConnections(downTo: 1)
        #expect(server.activeRequests == 0)
    }

    @Test("A stop ends sending that waits for the client, and the waits for more bytes")
    func stop() async throws {
        let path = "/flow/100000000000"
        try client.request("GET", path)
        try await server.waitUntilSendingPauses(path: path)
        let wait = Task { [server] in try await server.waitForBytesSent(.max, path: path) }
        server.stop()
        #expect(server.openConnections == 0)
        await #expect(throws: LoopbackServerError.stopped) { try await wait.value }
    }
}
