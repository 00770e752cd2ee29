import EngineConformance
import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs the conformance checks against engines that are broken on purpose: the check named for a break notices it.
@Suite("Engine conformance: broken engines are noticed", .timeLimit(.minutes(10)))
struct EngineConformanceSelfTests {
    typealias Receiver = @Sendable (TransferEvent) -> Void

    /// The standard engine, with its events delivered in another way.
    private struct BrokenEngine: TransferEngine {
        let engine = makeStandardEngine(.ephemeral)
        let deliver: @Sendable (TransferEvent, @escaping Receiver) -> Void

        var streamsBodies: Bool { engine.streamsBodies }

        func start(_ request: TransferRequest, onEvent: @escaping Receiver) -> any TransferHandle {
            engine.start(request) { [deliver] event in deliver(event, onEvent) }
        }

        func finishTasksAndInvalidate() { engine.finishTasksAndInvalidate() }
        func invalidateAndCancel() { engine.invalidateAndCancel() }
    }

    struct Break: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let check: String
        /// What the check says, where it could notice something else.
        let reason: String?
        let deliver: @Sendable (TransferEvent, @escaping Receiver) -> Void

        init(_ name: String, noticedBy check: String, _ change: @escaping @Sendable (TransferEvent) -> [TransferEvent])
        {
            testDescription = name
            self.check = check
            reason = nil
            deliver = { event, onEvent in change(event).forEach(onEvent) }
        }

        init(
            _ name: String, noticedBy check: String, saying reason: String,
            deliver: @escaping @Sendable (TransferEvent, @escaping Receiver) -> Void
        ) {
            testDescription = name
            self.check = check
            self.reason = reason
            self.deliver = deliver
        }
    }

    #if canImport(FoundationNetworking)
        private static let cut = "data, a chunked response closed at every byte"
        private static let cutStream =
            "stream, a plain response closed at every byte of its body: what came before is delivered"
    #else
        private static let cut = "data, truncated chunk"
        private static let cutStream = "streams: a failure comes after what has arrived"
    #endif

    static let breaks = [
        Break("A body's first byte is another one", noticedBy: "data, gzip body") { event in
            guard case .body(let chunk) = event else { return [event] }
            return [.body(Data([~chunk[chunk.startIndex]]) + chunk.dropFirst())]
        },
        Break("Chunks get lost", noticedBy: "a large body arrives whole") { event in
            if case .body(let chunk) = event, chunk.count > 1000 { [] } else { [event] }
        },
        Break("A failure is reported as the end", noticedBy: "download, truncated chunk") { event in
            if case .failed = event { [.finished] } else { [event] }
        },
        Break("A failure names no URL", noticedBy: "upload, reset before the head") { event in
            guard case .failed(let error as TransferError) = event else { return [event] }
            return [.failed(TransferError(error.kind))]
        },
        Break("A cancellation is a failure", noticedBy: "a handle can be used from any thread, any number of times") {
            event in
            guard case .failed(is CancellationError) = event else { return [event] }
            return [.failed(TransferError(.connectionLost))]
        },
        Break("A response that is cut off is reported as whole", noticedBy: cut) { event in
            if case .failed = event { [.finished] } else { [event] }
        },
        Break("What came before a cut is lost", noticedBy: cutStream) { event in
            if case .body(let chunk) = event, chunk != Data("whole".utf8) { [] } else { [event] }
        },
        Break("The end is reported twice", noticedBy: "events: none after the last one") { event in
            event.isTerminal ? [event, event] : [event]
        },
        Break("A failure that is no cancellation is reported twice", noticedBy: "events: a failure is the last one") {
            event in
            if case .failed(let error) = event, !(error is CancellationError) { [event, event] } else { [event] }
        },
        Break("The end of a whole response is reported twice", noticedBy: "events: head, body, end") { event in
            if case .finished = event { [event, event] } else { [event] }
        },
        Break("The head comes twice", noticedBy: "events: head, body, end") { event in
            if case .head = event { [event, .body(Data([0])), event] } else { [event] }
        },
        Break("Sent parts are not reported", noticedBy: "UPDATES: one for each part that was sent") { event in
            if case .sent = event { [] } else { [event] }
        },
        Break("An HTTP status is a failure", noticedBy: "STATUS: an HTTP status is no failure") { event in
            if case .head(let response, _) = event, response.status == 404 {
                [.failed(TransferError(.badResponse, url: response.url))]
            } else {
                [event]
            }
        },
    ]

    static let misdeliveries = [
        Break("Events overlap", noticedBy: "events: head, body, end", saying: "during another one") { event, onEvent in
            deliverHalves(of: event, to: onEvent)
        },
        Break("Events come on the main queue", noticedBy: "events: head, body, end", saying: "on the main thread") {
            event, onEvent in
            DispatchQueue.main.async { onEvent(event) }
        },
    ]

    /// Delivers both halves of a chunk at once, on two threads. In many small parts: a thread takes less time to start
    /// than these to be delivered.
    private static func deliverHalves(of event: TransferEvent, to onEvent: @escaping Receiver) {
        guard case .body(let chunk) = event, chunk.count > 1 else { return onEvent(event) }
        let half = chunk.count / 2, size = max(1, half / 100), done = DispatchSemaphore(value: 0)
        let deliver = { @Sendable (half: Data) in
            for start in stride(from: half.startIndex, to: half.endIndex, by: size) {
                onEvent(.body(half[start..<min(start + size, half.endIndex)]))
            }
        }
        Thread.detachNewThread {
            deliver(chunk.prefix(half))
            done.signal()
        }
        deliver(chunk.dropFirst(half))
        done.wait()
    }

    @Test("A break is noticed", arguments: breaks + misdeliveries)
    func isNoticed(of break: Break) async throws {
        let checks = EngineConformance.checks + EngineConformance.deadlyAnswers
        let check = try #require(checks.first { $0.name == `break`.check })
        let failure = await #expect(throws: EngineCheckFailure.self) {
            try await check.run { BrokenEngine(deliver: `break`.deliver) }
        }
        if let reason = `break`.reason { #expect(failure?.description.contains(reason) == true) }
    }

    #if canImport(FoundationNetworking)
        /// An engine that repeats every request that fails.
        private struct RepeatingEngine: TransferEngine {
            let engine = makeCurlEngine()

            func start(
                _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
            ) -> any TransferHandle {
                engine.start(request) { [engine] event in
                    guard case .failed = event else { return onEvent(event) }
                    _ = engine.start(request, onEvent: onEvent)
                }
            }

            func finishTasksAndInvalidate() { engine.finishTasksAndInvalidate() }
            func invalidateAndCancel() { engine.invalidateAndCancel() }
        }

        @Test("An engine that repeats requests is noticed")
        func repetition() async throws {
            for check in EngineConformance.onceChecks where !check.name.contains("idempotent") {
                await #expect(throws: EngineCheckFailure.self, "\(check)") { try await check.run { RepeatingEngine() } }
            }
        }
    #endif
}
