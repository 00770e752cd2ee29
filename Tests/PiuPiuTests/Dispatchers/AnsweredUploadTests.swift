import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers to uploads that the server takes no more, with a clock that the test advances.
@Suite("Uploads that are answered before their end", .timeLimit(.minutes(10)))
struct AnsweredUploadTests {
    /// An engine that does what the test wants, and ends an exchange with its answer if that is complete.
    private final class AnsweringHop: TransferEngine {
        struct State {
            var onEvent: (@Sendable (TransferEvent) -> Void)?
            /// Whether the answer is complete.
            var isWhole = false
            /// Whether the next chunk of the request's body isn't there yet.
            var isStarved = false
            /// Whether the server takes the rest of the body before the exchange is ended.
            var goesOn = false
        }

        let settings: TransferSettings
        let state = Locked(State())
        let calls = Log<String>()

        init(_ settings: TransferSettings = TransferSettings()) {
            self.settings = settings
        }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            state.withLock { $0.onEvent = onEvent }
            return Handle(hop: self)
        }

        func tell(_ event: TransferEvent) { state.withLock { $0.onEvent }?(event) }

        func tellHead(_ version: String) throws {
            let url = try url("http://host/a")
            tell(.head(TransferHead(url: url, status: 200, version: version), request: URLRequest(url: url)))
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}

        private struct Handle: ExplainedHandle {
            let hop: AnsweringHop

            func cancel(because error: any Error) { hop.calls.append("cancel") }

            func recover(from error: any Error) -> Bool {
                hop.calls.append("recover")
                return end(isUrgent: true)
            }

            func endWithAnswer(isUrgent: Bool) -> Bool {
                hop.calls.append(isUrgent ? "urgent" : "ask")
                return end(isUrgent: isUrgent)
            }

            private func end(isUrgent: Bool) -> Bool {
                guard hop.state.withLock({ $0.isWhole && (isUrgent || !$0.isStarved) }) else { return false }
                guard !hop.state.withLock({ $0.goesOn }) else { return true }
                DispatchQueue.global().async { hop.tell(.finished) }
                return true
            }
        }
    }

    private let time = TransferTimeTests.ManualTime()
    private let log = Log<TransferEvent>()

    private func start(
        on engine: any TransferEngine, timeout: TimeInterval = 60, body: TransferBody = .data(Data(count: 10)),
        deadline: Duration? = nil
    ) throws {
        let driver = TransferDriver(engine, timer: time.timer)
        var request = URLRequest(url: try url("http://host/a"), method: .post)
        request.timeoutInterval = timeout
        let context = PolicyContext(deadline: deadline.map { Deadline(after: $0, clock: .continuous) })
        ExchangeLocals.$current.withValue(context.local) {
            _ = driver.start(TransferRequest(request, body: body)) { [log] in log.append($0) }
        }
    }

    private func isFinished() async -> Bool {
        if case .finished = await log.untilTheEnd().last { true } else { false }
    }

    @Test("A shared connection: a complete answer is waited for no longer than a second after the last part was taken")
    func sharedConnection() async throws {
        let hop = AnsweringHop()
        try start(on: hop, timeout: 3600)
        hop.state.withLock { $0.isWhole = true }
        try hop.tellHead("HTTP/2")
        time.advance(milliseconds: 900)
        hop.tell(.sent(bytes: 5, expected: 10))
        time.advance(milliseconds: 900)
        #expect(hop.calls.all == [])
        time.advance(milliseconds: 100)
        #expect(await isFinished())
        time.advance(seconds: 10_000)
        #expect(hop.calls.all == ["ask"] && time.alarms == [])
    }

    @Test("An answer that isn't complete is waited for, and asked about once after each event")
    func incomplete() async throws {
        let hop = AnsweringHop()
        try start(on: hop)
        try hop.tellHead("HTTP/2")
        time.advance(seconds: 50)
        #expect(hop.calls.all == ["ask"])
        hop.state.withLock { $0.isWhole = true }
        hop.tell(.body(Data([1])))
        time.advance(seconds: 1)
        #expect(await isFinished())
        #expect(hop.calls.all == ["ask", "ask"])
    }

    @Test(
        "An answer that goes on after all, as the rest of the body was taken, is waited for until the timeout",
        arguments: [false, true])
    func takenRest(hasLatePart: Bool) async throws {
        let hop = AnsweringHop()
        try start(on: hop)
        hop.state.withLock { ($0.isWhole, $0.goesOn) = (true, true) }
        try hop.tellHead("HTTP/2")
        time.advance(seconds: 1)
        hop.state.withLock { $0.isWhole = false }
        // A part of the answer that had come by then may be delivered only now.
        if hasLatePart { hop.tell(.body(Data([1]))) }
        hop.tell(.sent(bytes: 10, expected: 10))
        time.advance(seconds: 60)
        #expect(hop.calls.all == ["ask", "ask", "recover", "cancel"])
    }

    @Test("A chunk that isn't there yet is waited for, until the server has been silent for too long")
    func starved() async throws {
        let hop = AnsweringHop()
        try start(on: hop)
        hop.state.withLock { ($0.isWhole, $0.isStarved) = (true, true) }
        try hop.tellHead("HTTP/2")
        time.advance(seconds: 59)
        #expect(hop.calls.all == ["ask"])
        time.advance(seconds: 1)
        #expect(await isFinished())
        #expect(hop.calls.all == ["ask", "recover"])
    }

    @Test("A connection of its own isn't given up before the timeout")
    func ownConnection() async throws {
        let hop = AnsweringHop()
        try start(on: hop)
        hop.state.withLock { $0.isWhole = true }
        try hop.tellHead("HTTP/1.1")
        time.advance(seconds: 59)
        #expect(hop.calls.all == [])
        time.advance(seconds: 1)
        #expect(await isFinished())
        #expect(hop.calls.all == ["recover"])
    }

    @Test("Without a body of the request nobody asks")
    func withoutBody() async throws {
        let hop = AnsweringHop()
        try start(on: hop, body: .none)
        try hop.tellHead("HTTP/2")
        time.advance(seconds: 59)
        #expect(hop.calls.all == [])
    }

    @Test("A complete answer is delivered before the caller's own time is over", arguments: [true, false])
    func ownTime(isStarved: Bool) async throws {
        let hop = AnsweringHop()
        try start(on: hop, timeout: 1e6, deadline: .seconds(3600))
        hop.state.withLock { ($0.isWhole, $0.isStarved) = (true, isStarved) }
        try hop.tellHead("HTTP/1.1")
        // A part of the real time is over when the exchange starts.
        time.advance(seconds: 3000)
        #expect(hop.calls.all == [])
        time.advance(seconds: 600)
        #expect(await isFinished())
        #expect(hop.calls.all == ["urgent"])
    }

    @Test("A complete answer is delivered when the limit of the whole exchange is reached", arguments: [true, false])
    func wholeLimit(isWhole: Bool) async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = 10
        let hop = AnsweringHop(settings)
        try start(on: hop, timeout: 20)
        hop.state.withLock { $0.isWhole = isWhole }
        try hop.tellHead("HTTP/1.1")
        time.advance(seconds: 10)
        #expect(await isFinished() == isWhole)
        #expect(hop.calls.all == (isWhole ? ["urgent"] : ["urgent", "cancel"]))
    }

    enum Place: CaseIterable { case underLimit, underBreaker, underCache }

    @Test("The engine is asked through what decorates it", arguments: Place.allCases)
    func decorated(place: Place) async throws {
        let hop = AnsweringHop()
        let engine =
            switch place {
            case .underLimit: hop.limited(to: 1)
            case .underBreaker: hop.breaking()
            case .underCache: hop.cached(in: HTTPCache())
            }
        try start(on: engine, timeout: 3600)
        hop.state.withLock { $0.isWhole = true }
        try hop.tellHead("HTTP/2")
        time.advance(seconds: 1)
        #expect(await isFinished())
        #expect(hop.calls.all == ["ask"])
    }
}
