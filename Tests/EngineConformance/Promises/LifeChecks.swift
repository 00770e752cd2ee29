import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The life of an engine, and its two deliberate ends.
enum LifeChecks {
    static let all = [finish, cancel, keptAlive, sideBySide]

    private static func gated(_ stand: EngineStand) -> LoopbackGate {
        let gate = LoopbackGate()
        stand.server.handle("GET", "/gated", reply: .text("done").gated(by: gate))
        return gate
    }

    private static func expectRefusal(by engine: any TransferEngine, _ stand: EngineStand) async throws {
        let tape = EventTape()
        _ = engine.start(TransferRequest(stand.request("/text")), onEvent: tape.onEvent)
        let events = try await tape.events()
        try expect(events.order, is: "!", "the events after the invalidation")
        let error = try require(events.failure, "the error")
        try expect(expect(error, isOneOf: [.sessionInvalidated]).url, is: stand.server.url("/text"), "its URL")
    }

    private static let finish = EngineCheck("invalidation: what runs is finished, what comes is refused") { stand in
        let engine = stand.makeEngine()
        let gate = gated(stand)
        let tape = EventTape()
        _ = engine.start(TransferRequest(stand.request("/gated")), onEvent: tape.onEvent)
        try await gate.waitForArrivals()
        engine.finishTasksAndInvalidate()
        try await expectRefusal(by: engine, stand)
        gate.open()
        let events = try await tape.events()
        try expect(events.order, is: "hb.", "the events of the running exchange")
        try expect(events.body, is: Data("done".utf8), "its body")
        try expect(stand.server.requestCount(path: "/text"), is: 0, "the number of refused requests that were sent")
    }

    private static let cancel = EngineCheck("invalidation: what runs is cancelled, what comes is refused") { stand in
        let engine = stand.makeEngine()
        let gate = gated(stand)
        let tapes = (0..<3).map { _ in EventTape() }
        for tape in tapes { _ = engine.start(TransferRequest(stand.request("/gated")), onEvent: tape.onEvent) }
        try await gate.waitForArrivals(3)
        engine.invalidateAndCancel()
        engine.invalidateAndCancel()
        engine.finishTasksAndInvalidate()
        for tape in tapes {
            let events = try await tape.events()
            try expect(events.failure is CancellationError, "\(String(describing: events.last)) at the end")
        }
        try await expectRefusal(by: engine, stand)
        try await stand.server.waitForClosedConnections()
    }

    private static let keptAlive = EngineCheck("life: an exchange retains its engine, and releases it at its end") {
        stand in
        let gate = gated(stand)
        let tape = EventTape()
        _ = stand.makeEngine().start(TransferRequest(stand.request("/gated")), onEvent: tape.onEvent)
        try await gate.waitForArrivals()
        gate.open()
        try expect(try await tape.events().order, is: "hb.", "the events")
        try await stand.server.waitForClosedConnections()
    }

    private static let sideBySide = EngineCheck("life: a hundred exchanges side by side") { stand in
        try await withThrowingTaskGroup { group in
            for index in 0..<100 {
                group.addTask {
                    let response = try await stand.load("/bytes/\(1_000 + index)")
                    try expect(
                        response.data == LoopbackPattern.data(count: 1_000 + index), "the body of exchange \(index)")
                }
            }
            try await group.waitForAll()
        }
    }
}
