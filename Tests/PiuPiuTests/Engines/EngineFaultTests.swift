import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The session engine: faults", .timeLimit(.minutes(10)))
struct EngineFaultTests {
    private let server: LoopbackServer
    private let engine = URLSessionEngine(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test(
        "Each fault is a typed error that names its URL",
        arguments: [
            ("close", [.badResponse, .connectionLost]), ("reset", [.connectionLost]),
            ("reset-mid-body", [.connectionLost]), ("truncate", [.truncated]), ("bad-chunk", [.badResponse]),
            ("truncate-chunk", [.truncated]), ("garbage", [.badResponse]),
        ] as [(String, [TransferError.Kind])])
    func fault(name: String, kinds: [TransferError.Kind]) async throws {
        let failure = await engine.failure(server.url("/fault/\(name)"))
        let error = try #require(failure as? TransferError)
        #expect(kinds.contains(error.kind), "\(error)")
        #expect(error.url == server.url("/fault/\(name)"))
        #expect(error.urlError != nil, "\(error)")
    }

    /// On a connection that was used before, libcurl would send it a second time, without its body.
    @Test("A request with a body is sent once", arguments: ["/fault/close", "/fault/reset"])
    func bodiesAreSentOnce(path: String) async throws {
        for _ in 0..<3 {
            _ = try await engine.load(server.url("/text"))
            let output = try await engine.load(server.url("/sink"), method: "POST", body: Data("body".utf8))
            #expect(output.data.text?.contains("\"count\":4") == true)
            await #expect(throws: TransferError.self) {
                _ = try await engine.load(server.url(path), method: "POST", body: Data("body".utf8), timeout: 3600)
            }
        }
        #expect(server.requestCount(path: path) == 3)
        // Those without a body share a connection, unless the machine is so busy that libcurl finds it too old.
        #expect(Set(server.requests(path: "/text").map(\.connection)).count < 3)
    }

    @Test func whatExceedsTheLengthIsCutOff() async throws {
        let output = try await engine.load(server.url("/fault/overlong"))
        #expect(output.data?.count == 50)
    }

    @Test func aRefusedConnection() async throws {
        let failure = await engine.failure(try server.refusingURL())
        let error = try #require(failure as? TransferError)
        #expect(error.kind == .cannotConnect)
        #expect(error.urlError?.code == .cannotConnectToHost)
    }

    @Test func anUnknownHost() async throws {
        let failure = await engine.failure(try url("http://nonexistent.invalid/"))
        let error = try #require(failure as? TransferError)
        #expect(error.kind == .hostNotFound)
        #expect(error.errorDescription?.contains("nonexistent.invalid") == true)
    }

    @Test("A server that keeps silent", arguments: ["stall", "stall-after-head", "stall-mid-body"])
    func aTimeout(name: String) async throws {
        let failure = await engine.failure(server.url("/fault/\(name)"), timeout: 0.4)
        let error = try #require(failure as? TransferError)
        #expect(error.kind == .timedOut)
        #expect(error.url == server.url("/fault/\(name)"))
    }

    @Test func theTimeoutOfTheConfiguration() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 1
        let engine = URLSessionEngine(configuration: configuration)
        let request = URLRequest(url: server.url("/fault/stall"))
        let error = await #expect(throws: TransferError.self) { _ = try await engine.run(request) }
        #expect(error?.kind == .timedOut)
    }

    @Test func theTimeoutOfTheResource() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 1
        let engine = URLSessionEngine(configuration: configuration)
        let failure = await engine.failure(server.url("/fault/stall-mid-body"))
        let error = try #require(failure as? TransferError)
        #expect(error.kind == .timedOut)
        #expect(error.url == server.url("/fault/stall-mid-body"))
        try await server.waitForClosedConnections()
    }

    @Test func waitingForAConnectionIsNoTimeout() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("done").gated(by: gate))
        // One router for all requests, as in a dispatcher: it counts them.
        let router = EngineRouter(engine)
        try await withThrowingTaskGroup { group in
            for _ in 0..<12 {
                group.addTask { [server] in
                    try await router.load(server.url("/gated"), timeout: 3600).head.status
                }
            }
            try await gate.waitForArrivals(6)
            // The other six wait outside of the session.
            #expect(gate.arrivals == 6)
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test(
        "Invalid URLs never reach the session", arguments: ["http:///nohost", "ftp://host/", "nothing", "mailto:a@b"])
    func invalidURLs(text: String) async throws {
        let failure = await engine.failure(try url(text))
        #expect(failure is InvalidRequestError)
    }
}
