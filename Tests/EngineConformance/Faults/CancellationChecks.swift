import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each kind of transfer, cancelled at each stage.
enum CancellationChecks {
    static let all =
        TransferKind.allCases.flatMap { kind in
            // A stream has updates only up to its head; StreamChecks cancel in mid-body.
            [beforeTheStart(kind), afterTheEnd(kind)]
                + stages.filter { kind != .stream || $0.update == nil }.map { underWay(kind, $0) }
        } + [inMidUpload]

    /// How far the server goes before the cancellation.
    private struct Stage: Sendable {
        let name: String
        /// The update that the cancellation follows; `nil` for the arrival of the request.
        let update: TransferUpdate.Stage?
        let steps: [LoopbackReply.Step]
        /// Whether the cancellation comes long before the end of the server's steps.
        var isLong = false
    }

    private static let endless = 1 << 40
    /// What a busy machine may have to keep in memory before the cancellation.
    private static let long = 64 << 20

    private static let head = LoopbackReply.Step.head(
        status: 200, headers: [LoopbackHeader("Content-Length", "\(endless)")])

    private static let stages = [
        Stage(name: "before the head", update: nil, steps: []),
        Stage(name: "after the head", update: .responded, steps: [head]),
        Stage(name: "in mid-body", update: .received, steps: [head, .pattern(count: 100_000)]),
        // This keeps an engine's queues busy; a cancellation must still get through.
        Stage(
            name: "while the server sends all it can", update: .received, steps: [head, .pattern(count: long)],
            isLong: true),
    ]

    private static func underWay(_ kind: TransferKind, _ stage: Stage) -> EngineCheck {
        EngineCheck("\(kind), cancelled \(stage.name)") { stand in
            try kind.prepare(stand)
            let gate = LoopbackGate()
            stand.server.handle("*", "/cancelled", reply: LoopbackReply(steps: stage.steps + [.gate(gate)]))
            let future = kind.future(of: stand.server.url("/cancelled"), on: stand)
            let updates = future.updates(bufferingPolicy: .bufferingOldest(10)).makeAsyncIterator()
            let task = Task { try await future.value }
            if let wanted = stage.update { try await wait(for: wanted, in: updates) }
            if !stage.isLong { try await gate.waitForArrivals() }
            future.cancel()
            let error = try await failure(of: "the cancelled transfer") { try await task.value }
            try expect(error is CancellationError, "\(error) instead of a CancellationError")
            // The transfer itself has ended too.
            try await stand.server.waitUntilIdle()
            try await kind.expectIntactDestinationSoon(on: stand)
            try await stand.expectSoundEngine()
        }
    }

    private static func beforeTheStart(_ kind: TransferKind) -> EngineCheck {
        EngineCheck("\(kind), cancelled before the start") { stand in
            try kind.prepare(stand)
            let future = kind.future(of: stand.server.url("/never"), on: stand)
            future.cancel()
            let error = try await failure(of: "the cancelled transfer") { try await future.value }
            try expect(error is CancellationError, "\(error) instead of a CancellationError")
            let second = kind.future(of: stand.server.url("/never"), on: stand)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await second.value
            }
            let other = try await failure(of: "the transfer in a cancelled task") { try await task.value }
            try expect(other is CancellationError, "\(other) instead of a CancellationError")
            try await stand.expectSoundEngine()
            try expect(stand.server.requestCount(), is: 1, "the number of requests that have reached the server")
            try kind.expectIntactDestination(on: stand)
        }
    }

    private static func afterTheEnd(_ kind: TransferKind) -> EngineCheck {
        EngineCheck("\(kind), cancelled after the end") { stand in
            try kind.prepare(stand)
            stand.server.handle("*", "/done", reply: .text("done"))
            let future = kind.future(of: stand.server.url("/done"), on: stand)
            let result = try await future.value
            future.cancel()
            try expect(try await future.value == result, "the outcome has changed")
            try expect(result.body, is: Data("done".utf8), "the body")
            if kind == .download {
                try expect(try Data(contentsOf: kind.destination(in: stand)), is: result.body, "the file")
                try kind.expectNothingBeside(on: stand)
            }
            try await stand.expectSoundEngine()
        }
    }

    private static let inMidUpload = EngineCheck("upload, cancelled in mid-upload") { stand in
        // The server reads nothing, so with full buffers it doesn't notice that the client left until the gate opens.
        let gate = LoopbackGate()
        stand.server.handle("POST", "/unread", body: .ignore) { _ in LoopbackReply.text("done").gated(by: gate) }
        // More than the buffers in between hold.
        let body = LoopbackPattern.data(count: 32 << 20)
        let future = stand.dispatcher.uploadFuture(from: stand.request("/unread", method: .post), with: body)
        let updates = future.updates(bufferingPolicy: .unbounded).makeAsyncIterator()
        let task = Task { try await future.value }
        try await wait(for: .sent, in: updates)
        future.cancel()
        let error = try await failure(of: "the cancelled upload") { try await task.value }
        try expect(error is CancellationError, "\(error) instead of a CancellationError")
        gate.open()
        try await stand.server.waitForClosedConnections()
        try await stand.expectSoundEngine()
    }

    private static func wait(
        for stage: TransferUpdate.Stage, in updates: consuming FutureUpdates<some Sendable>.Iterator
    ) async throws {
        var updates = updates
        while let update = await updates.next() {
            if update.stage == stage { return }
        }
        throw EngineMisbehaviour("it has ended before the update \(stage)")
    }
}
