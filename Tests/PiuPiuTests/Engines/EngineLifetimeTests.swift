import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The session engine: its life", .timeLimit(.oneProcessAtATime))
struct EngineLifetimeTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer.start()
    }

    @Test func aRequestAfterTheInvalidationIsRefused() async throws {
        for cancels in [true, false] {
            let engine = EngineRouter(URLSessionEngine(configuration: .ephemeral))
            cancels ? engine.invalidateAndCancel() : engine.finishTasksAndInvalidate()
            for target in [server.url("/text"), try url("data:,x")] {
                let failure = await engine.failure(target)
                #expect((failure as? TransferError)?.kind == .sessionInvalidated)
            }
        }
        #expect(server.requestCount() == 0)
    }

    @Test func whatRunsIsFinished() async throws {
        let engine = URLSessionEngine(configuration: .ephemeral)
        let gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("done").gated(by: gate))
        let updates = Log<TransferUpdate>()
        // More than the limit: those in line count as running.
        let tasks = (0..<8).map { _ in Task { try await engine.load(server.url("/gated"), updates: updates) } }
        try await gate.waitForArrivals(6)
        var started = 0
        for await update in updates.stream where update.stage == .started {
            started += 1
            if started == 8 { break }
        }
        engine.finishTasksAndInvalidate()
        gate.open()
        var refused = 0
        for task in tasks {
            switch await task.result {
            case .success(let output): #expect(output.data.text == "done")
            case .failure(let error):
                // The update comes right before the admission.
                #expect((error as? TransferError)?.kind == .sessionInvalidated)
                refused += 1
            }
        }
        #expect(refused <= 2)
    }

    @Test func whatRunsIsCancelled() async throws {
        let engine = URLSessionEngine(configuration: .ephemeral)
        let gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("done").gated(by: gate))
        let logs = (0..<10).map { _ in Log<TransferEvent>() }
        for log in logs { _ = engine.start(TransferRequest(server.request("/gated"))) { log.append($0) } }
        try await gate.waitForArrivals(6)
        engine.invalidateAndCancel()
        engine.invalidateAndCancel()
        engine.finishTasksAndInvalidate()
        for log in logs {
            let events = await log.untilTheEnd()
            guard events.count == 1, case .failed(let error) = events.first else {
                Issue.record("\(events)")
                continue
            }
            #expect(error is CancellationError)
        }
        try await server.waitForClosedConnections()
    }

    @Test func aRunningExchangeKeepsTheEngineAlive() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/gated", reply: .text("done").gated(by: gate))
        let events = Log<TransferEvent>()
        let engine = {
            let engine = URLSessionEngine(configuration: .ephemeral)
            _ = engine.start(TransferRequest(server.request("/gated"))) { events.append($0) }
            return Weak(engine)
        }()
        try await gate.waitForArrivals()
        #expect(engine.object != nil)
        gate.open()
        let all = await events.untilTheEnd()
        guard case .finished = all.last else { return #expect(Bool(false), "\(all)") }
        // Releasing the engine releases its session, which closes its connections.
        try await server.waitForClosedConnections()
        #expect(engine.object == nil)
    }

    #if os(Linux)
        /// In a process of its own, as other tests open and close descriptors at the same time.
        @Test(.oneProcessAtATime) func nothingIsLeftOfTwoHundredEngines() async {
            await #expect(processExitsWith: .success) {
                try InheritedSockets.close()
                let server = try LoopbackServer.start()
                func live(_ rounds: Int) async throws -> Int {
                    for round in 0..<rounds {
                        let engine = URLSessionEngine(configuration: .ephemeral)
                        try #require(try await engine.load(server.url("/text")).head.status == 200)
                        if round % 3 == 1 { engine.invalidateAndCancel() }
                        if round % 3 == 2 { engine.finishTasksAndInvalidate() }
                    }
                    try await server.waitForClosedConnections()
                    return try ProcessFigures.now().descriptors
                }
                let before = try await live(10), after = try await live(200)
                // A leak would be one or more for each engine.
                try #require(after < before + 50)
            }
        }
    #endif
}
