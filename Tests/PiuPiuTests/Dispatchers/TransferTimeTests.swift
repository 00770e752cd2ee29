import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Time limits of exchanges, with a clock that the test advances.
@Suite("Time limits of exchanges", .timeLimit(.minutes(10)))
struct TransferTimeTests {
    /// A clock that stands still until the test advances it.
    struct ManualTime: Sendable {
        private struct State {
            var now: UInt64 = 0
            var scheduled: [Alarm] = []
            var count = 0
        }

        private struct Alarm {
            let number: Int
            let instant: UInt64
            let body: @Sendable () -> Void
        }

        private let state = Locked(State())

        var timer: TransferTimer {
            TransferTimer(
                now: { state.withLock { $0.now } },
                schedule: { instant, body in
                    let number = state.withLock { state in
                        state.count += 1
                        state.scheduled.append(Alarm(number: state.count, instant: instant, body: body))
                        return state.count
                    }
                    return { state.withLock { $0.scheduled.removeAll { $0.number == number } } }
                })
        }

        /// The instants of the alarms that are set.
        var alarms: [UInt64] { state.withLock { $0.scheduled.map(\.instant) } }

        func advance(seconds: UInt64) { advance(milliseconds: seconds * 1_000) }

        func advance(milliseconds: UInt64) {
            let end = state.withLock { $0.now } + milliseconds * 1_000_000
            while let body = next(until: end) { body() }
            state.withLock { $0.now = end }
        }

        private func next(until end: UInt64) -> (@Sendable () -> Void)? {
            state.withLock { state in
                guard
                    let first = state.scheduled.indices.min(by: {
                        state.scheduled[$0].instant < state.scheduled[$1].instant
                    }),
                    state.scheduled[first].instant <= end
                else { return nil }
                state.now = max(state.now, state.scheduled[first].instant)
                return state.scheduled.remove(at: first).body
            }
        }
    }

    /// An engine that does what the test wants.
    final class QuietEngine: TasklessEngine {
        let settings: TransferSettings
        let hops = Locked<[@Sendable (TransferEvent) -> Void]>([])
        let calls = Log<String>()

        init(_ settings: TransferSettings = TransferSettings()) {
            self.settings = settings
        }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            hops.withLock { $0.append(onEvent) }
            calls.append("start \(request.urlRequest.url?.path() ?? "")")
            return Handle(calls: calls)
        }

        func tell(_ event: TransferEvent, hop: Int = 0) { hops.withLock { $0[hop] }(event) }

        func finishTasksAndInvalidate() { calls.append("finish") }
        func invalidateAndCancel() { calls.append("cancel all") }

        private struct Handle: TransferHandle {
            let calls: Log<String>
            func cancel() { calls.append("cancel") }
            func pause() { calls.append("pause") }
            func resume() { calls.append("resume") }
        }
    }

    private func request(_ path: String = "/a", timeout: TimeInterval = 10, isLarge: Bool = false) throws
        -> TransferRequest
    {
        var request = URLRequest(url: try url("http://host\(path)"))
        request.timeoutInterval = timeout
        return TransferRequest(request, expectsLargeResponse: isLarge)
    }

    private func head() throws -> TransferEvent {
        .head(TransferHead(url: try url("http://host/a"), status: 200), request: try request().urlRequest)
    }

    private func redirect(to location: String) throws -> TransferEvent {
        let head = TransferHead(url: try url("http://host/a"), status: 302, fields: [("Location", location)])
        return .head(head, request: try request().urlRequest)
    }

    private func kind(_ events: [TransferEvent]) -> TransferError.Kind? {
        if case .failed(let error) = events.last { (error as? TransferError)?.kind } else { nil }
    }

    @Test("A server may be silent for as long as the request's timeout, and each event restarts it")
    func silence() async throws {
        let time = ManualTime(), engine = QuietEngine(), log = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        _ = driver.start(try request()) { log.append($0) }
        time.advance(seconds: 9)
        engine.tell(try head())
        time.advance(seconds: 9)
        engine.tell(.body(Data([1])))
        time.advance(seconds: 9)
        #expect(log.all.count == 2)
        time.advance(seconds: 1)
        let events = await log.untilTheEnd()
        #expect(kind(events) == .timedOut)
        #expect(engine.calls.all == ["start /a", "cancel"])
        engine.tell(.finished)
        #expect(log.all.count == 3)
    }

    @Test(
        "A redirect whose body doesn't end is followed after a second, however its bytes trickle",
        arguments: [false, true])
    func endlessRedirect(trickles: Bool) async throws {
        let time = ManualTime(), engine = QuietEngine(), log = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        _ = driver.start(try request()) { log.append($0) }
        time.advance(seconds: 5)
        engine.tell(try redirect(to: "/b"))
        time.advance(milliseconds: 900)
        if trickles { engine.tell(.body(Data([1]))) }
        #expect(engine.calls.all == ["start /a"])
        time.advance(milliseconds: 100)
        #expect(engine.calls.all == ["start /a", "cancel", "start /b"])
        engine.tell(.finished)
        time.advance(seconds: 9)
        engine.tell(try head(), hop: 1)
        engine.tell(.finished, hop: 1)
        guard case .finished = await log.untilTheEnd().last else { return #expect(Bool(false), "\(log.all)") }
        #expect(engine.calls.all == ["start /a", "cancel", "start /b"])
    }

    private enum Traits {
        @TaskLocal static var name = "nobody"
    }

    /// An async engine whose first answer is a redirect with an endless body.
    private struct RedirectingEngine: AsyncTransferEngine {
        let exchanges = RunningExchanges()
        let names = Log<String>()
        let isRead = Gate()

        func exchange(
            _ request: TransferRequest, body: TransferChunks?
        ) async throws -> (TransferHead, AskedChunks) {
            names.append("\(request.urlRequest.url?.path() ?? "") \(Traits.name)")
            guard let url = request.urlRequest.url else { throw TransferError(.other) }
            guard url.path() == "/a" else { return (TransferHead(url: url, status: 200), AskedChunks(0)) }
            let endless = AskedChunks(1) { [isRead] _ in
                isRead.open()
                await Gate().opened()
            }
            return (TransferHead(url: url, status: 302, fields: [("Location", "/b")]), endless)
        }
    }

    @Test("INHERIT: the request after a redirect whose body doesn't end has the task-local values of its caller")
    func inheritance() async throws {
        let time = ManualTime(), engine = RedirectingEngine(), log = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        try Traits.$name.withValue("caller") { _ = driver.start(try request()) { log.append($0) } }
        await engine.isRead.opened()
        time.advance(seconds: 1)
        guard case .finished = await log.untilTheEnd().last else { return #expect(Bool(false), "\(log.all)") }
        #expect(engine.names.all == ["/a caller", "/b caller"])
    }

    @Test("A limit of an engine that is no number ends its exchanges, and not the process")
    func noNumber() async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = .nan
        let dispatcher = URLRequestDispatcher(engine: QuietEngine(settings))
        let future = dispatcher.dataFuture(from: URLRequest(url: try URL(fixture: "http://host/")))
        #expect(await future.statusOrError == "timedOut")
    }

    @Test("The timeout of the whole exchange also ends the body of a redirect")
    func wholeInRedirect() async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = 5
        let time = ManualTime(), engine = QuietEngine(settings), log = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        _ = driver.start(try request()) { log.append($0) }
        time.advance(milliseconds: 4_500)
        engine.tell(try redirect(to: "/b"))
        time.advance(milliseconds: 500)
        #expect(kind(await log.untilTheEnd()) == .timedOut)
        #expect(engine.calls.all == ["start /a", "cancel"])
    }

    @Test("While a reader pauses the transfer, a server may be silent for ever")
    func held() async throws {
        let time = ManualTime(), engine = QuietEngine(), log = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        let handle = driver.start(try request()) { log.append($0) }
        engine.tell(try head())
        handle.pause()
        handle.pause()
        time.advance(seconds: 1_000_000)
        #expect(log.all.count == 1)
        handle.resume()
        handle.resume()
        time.advance(seconds: 9)
        #expect(log.all.count == 1)
        time.advance(seconds: 2)
        #expect(kind(await log.untilTheEnd()) == .timedOut)
        #expect(engine.calls.all == ["start /a", "pause", "resume", "cancel"])
    }

    @Test("The timeout of the whole exchange includes the wait in line, and runs while the transfer is paused")
    func whole() async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = 15
        settings.exchangesPerOrigin = 1
        let time = ManualTime(), engine = QuietEngine(settings)
        let first = Log<TransferEvent>(), second = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        let handle = driver.start(try request("/1", timeout: 100)) { first.append($0) }
        time.advance(seconds: 5)
        _ = driver.start(try request("/2", timeout: 1)) { second.append($0) }
        handle.pause()
        time.advance(seconds: 9)
        #expect(first.all.isEmpty && second.all.isEmpty)
        time.advance(seconds: 1)
        #expect(kind(await first.untilTheEnd()) == .timedOut)
        // Then it was its turn, and its own second passed.
        time.advance(seconds: 1)
        #expect(kind(await second.untilTheEnd()) == .timedOut)
        #expect(engine.calls.all == ["start /1", "pause", "cancel", "start /2", "cancel"])
    }

    @Test("The wait in line doesn't count as the server's silence")
    func waiting() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let time = ManualTime(), engine = QuietEngine(settings), log = Log<TransferEvent>()
        let driver = TransferDriver(engine, timer: time.timer)
        let handle = driver.start(try request("/1", timeout: 1_000_000)) { _ in }
        _ = driver.start(try request("/2", timeout: 1)) { log.append($0) }
        time.advance(seconds: 1000)
        #expect(log.all.isEmpty)
        handle.cancel()
        engine.tell(try head(), hop: 1)
        engine.tell(.finished, hop: 1)
        guard case .finished = await log.untilTheEnd().last else { return #expect(Bool(false), "\(log.all)") }
    }

    @Test("All exchanges share one alarm, the earliest")
    func alarms() throws {
        let time = ManualTime(), driver = TransferDriver(QuietEngine(), timer: time.timer)
        for (timeout, alarm) in [(60, 60), (10, 10), (20, 10)] as [(TimeInterval, UInt64)] {
            _ = driver.start(try request(timeout: timeout)) { _ in }
            #expect(time.alarms == [alarm * 1_000_000_000])
        }
        // The first has timed out; the next alarm is that of the others.
        time.advance(seconds: 10)
        #expect(time.alarms == [20 * 1_000_000_000])
    }

    @Test("RELEASE: a driver that is released leaves no alarm behind")
    func release() async throws {
        let engine = QuietEngine(), cancelled = Gate()
        let timer = TransferTimer(now: { 0 }, schedule: { _, _ in { cancelled.open() } })
        _ = TransferDriver(engine, timer: timer).start(try request()) { _ in }
        engine.tell(try head())
        engine.tell(.finished)
        engine.hops.withLock { $0 = [] }
        await cancelled.opened()
    }

    @Test("A large response that is delivered slowly pauses the engine, and then resumes it")
    func backPressure() async throws {
        let engine = QuietEngine(), log = Log<TransferEvent>(), gate = DispatchSemaphore(value: 0)
        let driver = TransferDriver(engine)
        _ = driver.start(try request(isLarge: true)) { event in
            if case .body = event { gate.wait() }
            log.append(event)
        }
        engine.tell(try head())
        for _ in 0..<6 { engine.tell(.body(Data(count: 1 << 20))) }
        #expect(engine.calls.all == ["start /a", "pause"])
        for _ in 0..<6 { gate.signal() }
        #expect(await engine.calls.first { $0 == "resume" } != nil)
        engine.tell(.finished)
        let bytes = await log.untilTheEnd().reduce(0) { if case .body(let chunk) = $1 { $0 + chunk.count } else { $0 } }
        #expect(bytes == 6 << 20)
    }

    @Test("The engine is invalidated after the last exchange, redirects included")
    func invalidation() async throws {
        let engine = QuietEngine(), log = Log<TransferEvent>()
        let driver = TransferDriver(engine)
        _ = driver.start(try request()) { log.append($0) }
        driver.finishTasksAndInvalidate()
        engine.tell(try redirect(to: "http://other/b"))
        engine.tell(.finished)
        #expect(engine.calls.all == ["start /a", "start /b"])
        engine.tell(try head(), hop: 1)
        engine.tell(.finished, hop: 1)
        _ = await log.untilTheEnd()
        #expect(engine.calls.all == ["start /a", "start /b", "finish"])
        let refused = Log<TransferEvent>()
        _ = driver.start(try request()) { refused.append($0) }
        #expect(kind(await refused.untilTheEnd()) == .sessionInvalidated)
    }

    @Test("Large responses wait for each other, and no other exchange waits for them")
    func largeResponses() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let engine = QuietEngine(settings)
        let driver = TransferDriver(engine)
        _ = driver.start(try request("/stream", isLarge: true)) { _ in }
        let waiting = driver.start(try request("/other-stream", isLarge: true)) { _ in }
        _ = driver.start(try request("/small")) { _ in }
        #expect(engine.calls.all == ["start /stream", "start /small"])
        // One that leaves the line never starts.
        waiting.cancel()
        #expect(engine.calls.all == ["start /stream", "start /small"])
    }

    @Test("A host that multiplexes gets more exchanges at once")
    func multiplexing() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        settings.exchangesPerMultiplexedOrigin = 3
        let engine = QuietEngine(settings)
        let driver = TransferDriver(engine)
        for number in 1...5 { _ = driver.start(try request("/\(number)")) { _ in } }
        #expect(engine.calls.all == ["start /1"])
        let head = TransferHead(url: try url("http://host/1"), status: 200, version: "HTTP/2")
        engine.tell(.head(head, request: try request("/1").urlRequest))
        #expect(engine.calls.all == ["start /1", "start /2", "start /3"])
        engine.tell(.finished)
        #expect(engine.calls.all == ["start /1", "start /2", "start /3", "start /4"])
    }

    @Test("A host that stops to multiplex gets fewer exchanges at once again")
    func multiplexingNoMore() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        settings.exchangesPerMultiplexedOrigin = 3
        let engine = QuietEngine(settings)
        let driver = TransferDriver(engine)
        for number in 1...6 { _ = driver.start(try request("/\(number)")) { _ in } }
        func answer(_ hop: Int, version: String) throws {
            let head = TransferHead(url: try url("http://host/\(hop + 1)"), status: 200, version: version)
            engine.tell(.head(head, request: try request("/\(hop + 1)").urlRequest), hop: hop)
            engine.tell(.finished, hop: hop)
        }
        try answer(0, version: "HTTP/2")
        #expect(engine.calls.all == ["start /1", "start /2", "start /3", "start /4"])
        try answer(1, version: "HTTP/1.1")
        try answer(2, version: "HTTP/1.1")
        #expect(engine.calls.all == ["start /1", "start /2", "start /3", "start /4"])
        try answer(3, version: "HTTP/1.1")
        #expect(engine.calls.all.last == "start /5" && engine.calls.all.count == 5)
        try answer(4, version: "HTTP/1.1")
        #expect(engine.calls.all.last == "start /6")
    }
}
