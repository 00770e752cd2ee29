import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The session engine: cancellation", .timeLimit(.minutes(10)))
struct EngineCancellationTests {
    private let server: LoopbackServer
    private let engine = URLSessionEngine(configuration: .ephemeral)

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let task = Task { [engine, server] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.load(server.url("/text"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        // A request after it, on the same engine, is the first that the server sees.
        _ = try await engine.load(server.url("/empty"))
        #expect(server.requestCount() == 1)
    }

    @Test func whileWaitingForTheHead() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("late").gated(by: gate))
        let task = Task { [server] in try await engine.load(server.url("/gated")) }
        try await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitForClosedConnections()
    }

    @Test func inTheMiddleOfTheBody() async throws {
        let updates = Log<TransferUpdate>()
        let task = Task { [engine, server] in
            try await engine.load(server.url("/fault/stall-mid-body"), updates: updates)
        }
        _ = await updates.first { $0.stage == .received }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await server.waitForClosedConnections()
        #expect(updates.all.map(\.stage) == [.started, .responded, .received])
    }

    @Test func whileWaitingInLine() async throws {
        let engine = EngineRouter(engine), gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("done").gated(by: gate))
        let running = (0..<6).map { _ in Task { [server] in try await engine.load(server.url("/gated")) } }
        try await gate.waitForArrivals(6)
        let updates = Log<TransferUpdate>()
        let waiting = Task { [server] in try await engine.load(server.url("/empty"), updates: updates) }
        _ = await updates.first { $0.stage == .started }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        gate.open()
        for task in running { #expect(try await task.value.data.text == "done") }
        #expect(server.requestCount(path: "/empty") == 0)
    }

    @Test func aHandleMayBeCancelledAgainAndAgain() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("late").gated(by: gate))
        let events = Log<TransferEvent>()
        let handle = engine.start(TransferRequest(server.request("/gated"))) { events.append($0) }
        try await gate.waitForArrivals()
        DispatchQueue.concurrentPerform(iterations: 20) { _ in handle.cancel() }
        let all = await events.untilTheEnd()
        #expect(all.count == 1)
        guard case .failed(let error) = all.first else { return #expect(Bool(false)) }
        #expect(error is CancellationError)
        handle.cancel()
    }

    @Test func afterTheEndItChangesNothing() async throws {
        let events = Log<TransferEvent>()
        let handle = engine.start(TransferRequest(server.request("/text"))) { events.append($0) }
        _ = await events.untilTheEnd()
        handle.cancel()
        _ = try await engine.load(server.url("/text"))
        #expect(events.all.count(where: \.isTerminal) == 1)
    }

    @Test func whileRedirectsAreAnswered() async throws {
        let engine = EngineRouter(engine)
        await withTaskGroup { group in
            for round in 0..<100 {
                group.addTask { [server] in
                    let events = Log<TransferEvent>(), path = "/loop/\(round)"
                    server.handle("GET", path, reply: .redirect(to: path))
                    let handle = engine.start(TransferRequest(server.request(path))) { events.append($0) }
                    // At another point of the chain each time, or in line; every chain gets that far by itself.
                    try? await server.waitForRequests(round % 20, path: path)
                    handle.cancel()
                    let all = await events.untilTheEnd()
                    #expect(all.count(where: \.isTerminal) == 1)
                }
            }
        }
    }
}
