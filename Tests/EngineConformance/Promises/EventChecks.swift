import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The events of an exchange, and the updates that follow from them.
enum EventChecks {
    static let all =
        [order, orderOfAnUpload, failure, silenceAfterTheEnd, nothingInsideStart, release]
        + [updates, updatesOfAnUpload, cancelMoreThanOnce]

    private static let order = EngineCheck("events: head, body, end") { stand in
        for path in ["/bytes/300000", "/chunked/50/1000", "/gzip", "/early-hints", "/empty"] {
            let tape = EventTape(), engine = stand.makeEngine()
            let handle = engine.start(TransferRequest(stand.request(path)), onEvent: tape.onEvent)
            let events = try await tape.events()
            handle.cancel()
            try expect(events.order, is: path == "/empty" ? "h." : "hb.", "the order of the events of \(path)")
            // Of interim responses a dispatcher reports nothing, whether an engine skips them or not.
            let statuses = events.compactMap { if case .head(let head, _) = $0 { head.status } else { nil } }
            try expect(statuses.filter { $0 >= 200 }.count, is: 1, "the number of heads of \(path)")
            let chunks = events.compactMap { if case .body(let chunk) = $0 { chunk.count } else { nil } }
            try expect(!chunks.contains(0), "an empty chunk of \(path)")
            try await expectSilence(of: [tape], engine, stand)
        }
    }

    /// Throws if there were events after the last one.
    private static func expectSilence(
        of tapes: [EventTape], _ engine: any TransferEngine, _ stand: EngineStand
    ) async throws {
        // They would have come before another exchange ends.
        let other = EventTape()
        _ = engine.start(TransferRequest(stand.request("/bytes/1000000")), onEvent: other.onEvent)
        _ = try await other.events()
        for tape in tapes {
            let events = try await tape.eventsAfterTheEnd()
            try expect(events.isEmpty, "there are events after the last one: \(events.order)")
        }
    }

    private static let orderOfAnUpload = EngineCheck("events: parts sent, head, body, end") { stand in
        let tape = EventTape()
        let body = LoopbackPattern.data(count: 1_000_000)
        let request = TransferRequest(stand.request("/sink", method: .post), body: .data(body))
        let engine = stand.makeEngine()
        _ = engine.start(request, onEvent: tape.onEvent)
        let events = try await tape.events()
        try expect(events.order, is: "shb.", "the order of the events")
        var last: Int64 = 0
        // All before the head. After it, a number may come again.
        for case .sent(let bytes, let expected) in events {
            try expect(bytes > last, "the bytes sent don't grow: \(bytes) after \(last)")
            try expect(expected == nil || expected == 1_000_000, "\(expected ?? 0) bytes expected")
            last = bytes
        }
        try expect(last, is: 1_000_000, "the bytes sent")
    }

    private static let failure = EngineCheck("events: a failure is the last one") { stand in
        for path in ["/fault/reset", "/fault/truncate", "/fault/bad-chunk", "/fault/garbage"] {
            let tape = EventTape()
            let engine = stand.makeEngine()
            _ = engine.start(TransferRequest(stand.request(path)), onEvent: tape.onEvent)
            let events = try await tape.events()
            try expect(events.failure is TransferError, "\(String(describing: events.last)) of \(path)")
            try await expectSilence(of: [tape], engine, stand)
        }
    }

    private static let silenceAfterTheEnd = EngineCheck("events: none after the last one") { stand in
        let engine = stand.makeEngine()
        let gate = LoopbackGate()
        stand.server.handle("GET", "/gated", reply: .text("done").gated(by: gate))
        var tapes: [EventTape] = []
        for path in ["/bytes/100000", "/fault/truncate", "/gated"] {
            let tape = EventTape()
            let handle = engine.start(TransferRequest(stand.request(path)), onEvent: tape.onEvent)
            if path == "/gated" { try await gate.waitForArrivals() }
            handle.cancel()
            tapes.append(tape)
        }
        gate.open()
        for tape in tapes { _ = try await tape.events() }
        try await stand.server.waitUntilIdle()
        try await expectSilence(of: tapes, engine, stand)
    }

    private static let nothingInsideStart = EngineCheck("events: none inside start") { stand in
        let invalid = stand.makeEngine()
        invalid.finishTasksAndInvalidate()
        for engine in [stand.makeEngine(), invalid] {
            let tape = EventTape()
            let (inside, found) = AsyncStream.makeStream(of: Void.self)
            start(TransferRequest(stand.request("/text")), on: engine) { event, isInside in
                if isInside { found.yield() }
                tape.onEvent(event)
            }
            _ = try await tape.events()
            found.finish()
            for await _ in inside { throw EngineMisbehaviour("an event has come inside start") }
        }
    }

    /// Starts an exchange, and reports for each event whether it came inside the call.
    private static func start(
        _ request: TransferRequest, on engine: any TransferEngine,
        onEvent: @escaping @Sendable (TransferEvent, _ isInside: Bool) -> Void
    ) {
        let key = UUID().uuidString
        Thread.current.threadDictionary[key] = true
        defer { Thread.current.threadDictionary[key] = nil }
        _ = engine.start(request) { onEvent($0, Thread.current.threadDictionary[key] != nil) }
    }

    /// A class whose release can be awaited.
    private final class Token: Sendable {
        private let gone: AsyncStream<Never>.Continuation
        init(_ gone: AsyncStream<Never>.Continuation) { self.gone = gone }
        deinit { gone.finish() }
    }

    private static let release = EngineCheck("events: the closure is released") { stand in
        let engine = stand.makeEngine()
        for path in ["/text", "/fault/reset", "/fault/truncate"] {
            let (end, gone) = AsyncStream.makeStream(of: Never.self)
            let handle = {
                let token = Token(gone)
                return engine.start(TransferRequest(stand.request(path))) { _ in withExtendedLifetime(token) {} }
            }()
            // The stream ends with the token, which the handle doesn't retain.
            for await _ in end {}
            handle.cancel()
        }
    }

    private static let updates = EngineCheck("UPDATES: one at the start, one for the head, one for each chunk") {
        stand in
        let future = stand.dispatcher.dataFuture(from: stand.request("/chunked/20/5000"))
        let updates = future.updates(bufferingPolicy: .unbounded).makeAsyncIterator()
        let response = try await future.value
        let all = await collect(updates)
        try expect(all.map(\.stage).prefix(2) == [.started, .responded], "the first updates: \(all.map(\.stage))")
        try expect(all.dropFirst(2).allSatisfy { $0.stage == .received }, "the rest: \(all.map(\.stage))")
        try expect(all.count > 2, "there is none for the body")
        try expect(all.last?.progress.bytesReceived, is: 100_000, "the bytes received")
        try expect(response.data?.count, is: 100_000, "the length of the body")
    }

    private static let updatesOfAnUpload = EngineCheck("UPDATES: one for each part that was sent") { stand in
        let body = LoopbackPattern.data(count: 500_000)
        let future = stand.dispatcher.uploadFuture(from: stand.request("/echo/body", method: .post), with: body)
        let updates = future.updates(bufferingPolicy: .unbounded).makeAsyncIterator()
        let response = try await future.value
        let all = await collect(updates)
        let stages = all.map(\.stage)
        try expect(stages.first == .started, "the first update")
        try expect(stages.contains(.sent), "there is none for the body's parts")
        try expect(stages.filter { $0 == .responded }.count, is: 1, "the number of updates for the head")
        try expect(all.last { $0.stage == .sent }?.progress.bytesSent, is: 500_000, "the bytes sent")
        try expect(all.last?.progress.bytesReceived, is: 500_000, "the bytes received")
        try expect(response.data == body, "other bytes than were sent")
    }

    private static let cancelMoreThanOnce = EngineCheck("a handle can be used from any thread, any number of times") {
        stand in
        let engine = stand.makeEngine()
        for path in ["/fault/stall", "/fault/stall-mid-body"] {
            let tape = EventTape()
            let handle = engine.start(TransferRequest(stand.request(path)), onEvent: tape.onEvent)
            try await stand.server.waitForRequests(1, path: path)
            await withTaskGroup { group in
                for index in 0..<20 {
                    group.addTask {
                        if index % 3 == 0 { handle.pause() }
                        if index % 3 == 1 { handle.resume() }
                        handle.cancel()
                    }
                }
            }
            let events = try await tape.events()
            try expect(events.failure is CancellationError, "\(String(describing: events.last)) of \(path)")
            handle.cancel()
        }
        try await stand.server.waitForClosedConnections()
    }

    private static func collect(
        _ updates: consuming FutureUpdates<Response<Data?>>.Iterator
    ) async -> [TransferUpdate] {
        var updates = updates
        var all: [TransferUpdate] = []
        while let update = await updates.next() { all.append(update) }
        return all
    }
}
