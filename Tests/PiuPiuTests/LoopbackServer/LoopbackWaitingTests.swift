import Foundation
import LoopbackServer
import Testing

@Suite("Loopback server: waiting and stopping", .timeLimit(.minutes(10)))
struct LoopbackWaitingTests {
    private final class Token: Sendable {}

    @Test("A wait ends with the request it waits for")
    func requests() async throws {
        let server = try LoopbackServer.start()
        async let third: Void = server.waitForRequests(3, path: "/text")
        async let any: Void = server.waitForRequests()
        let client = try RawClient(port: server.port)
        for path in ["/text", "/empty", "/text", "/text"] {
            try client.request("GET", path)
            _ = try client.response()
        }
        try await third
        try await any
        #expect(server.requestCount(path: "/text") == 3)
    }

    @Test("A cancelled wait throws, before and after it has begun")
    func cancellation() async throws {
        let server = try LoopbackServer.start()
        let gate = LoopbackGate()
        let waits: [@Sendable () async throws -> Void] = [
            { try await server.waitForRequests(5) }, { try await server.waitForAcceptedConnections(5) },
            { try await server.waitForClosedConnections(downTo: -1) }, { try await gate.waitForArrivals() },
        ]
        for wait in waits {
            for cancelsFirst in [true, false] {
                let task = Task {
                    if cancelsFirst { withUnsafeCurrentTask { $0?.cancel() } }
                    try await wait()
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }

    @Test("A wait that can't succeed any more throws")
    func stopped() async throws {
        let server = try LoopbackServer.start()
        let wait = Task { try await server.waitForRequests() }
        server.stop()
        await #expect(throws: LoopbackServerError.stopped) { try await wait.value }
        try await server.waitForClosedConnections()
        try await server.waitUntilIdle()
    }

    @Test("The end of a connection is noticed")
    func closedConnections() async throws {
        let server = try LoopbackServer.start()
        do {
            let client = try RawClient(port: server.port)
            try client.request("GET", "/text")
            _ = try client.response()
            #expect(server.openConnections == 1)
        }
        try await server.waitForClosedConnections()
        #expect(server.acceptedConnections == 1)
    }

    @Test("A stop ends idle, stalled and sending connections, and a second one does nothing")
    func stop() async throws {
        let server = try LoopbackServer.start()
        let clients = try ["/text", "/fault/stall", "/bytes/100000000000"].map { path in
            let client = try RawClient(port: server.port)
            try client.request("GET", path)
            return client
        }
        try await server.waitForRequests(3)
        let sockets = RawClient.sockets(atLocalPort: server.port)
        #expect(sockets.count == 4)
        server.stop()
        server.stop()
        #expect(server.openConnections == 0)
        #expect(RawClient.sockets(atLocalPort: server.port).isDisjoint(with: sockets))
        withExtendedLifetime(clients) {}
    }

    @Test("A stop, or the release of the last reference, leaves no thread behind", arguments: [true, false])
    func threads(stops: Bool) async throws {
        weak var handled: Token?
        var clients: [RawClient] = []
        do {
            let token = Token()
            handled = token
            let server = try LoopbackServer.start()
            // Each thread retains what the server's threads share, and that retains the handler.
            server.handle("GET", "/own") { [token] _ in withExtendedLifetime(token) { .stall } }
            for _ in 0..<20 {
                let client = try RawClient(port: server.port)
                try client.request("GET", "/own")
                clients.append(client)
            }
            try await server.waitForRequests(20)
            if stops { server.stop() }
        }
        #expect(handled == nil)
        for client in clients { #expect(try client.rest().data.isEmpty) }
    }

    @Test("Until the stop, one port refuses connections, and nobody else gets it")
    func refusingPort() throws {
        let server = try LoopbackServer.start()
        let port = try #require(server.refusingURL().port)
        #expect(try server.refusingURL().port == port)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
        let sockets = RawClient.sockets(atLocalPort: port)
        #expect(sockets.count == 1)
        server.stop()
        #expect(RawClient.sockets(atLocalPort: port).isDisjoint(with: sockets))
        #expect(throws: LoopbackServerError.stopped) { try server.refusingURL() }
    }

    @Test("A stop leaves no descriptor behind")
    func descriptors() async throws {
        let server = try LoopbackServer.start()
        let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
        for client in clients { try client.request("GET", "/fault/stall") }
        try await server.waitForRequests(20)
        let sockets = RawClient.sockets(atLocalPort: server.port)
        #expect(sockets.count == 21)
        server.stop()
        #expect(RawClient.sockets(atLocalPort: server.port).isDisjoint(with: sockets))
        withExtendedLifetime(clients) {}
    }
}
