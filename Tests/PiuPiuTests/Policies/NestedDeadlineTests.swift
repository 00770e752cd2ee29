import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Nested deadlines, and other policies", .timeLimit(.minutes(10)))
struct NestedDeadlineTests {
    private let clock = ManualClock()
    private let server = Waiting()

    @Test("D1 TOTAL: the earliest of nested deadlines counts", arguments: [(3, 5), (5, 3)])
    func earliest(inner: Int, outer: Int) async throws {
        let dispatcher = server.dispatcher.deadline(.seconds(inner), clock: clock)
            .deadline(.seconds(outer), clock: clock)
        let future = dispatcher.dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrStage }
        await server.gate.reached()
        await clock.sleepers(2)
        clock.advance(by: .seconds(3))
        #expect(await task.value == "3.0 seconds connecting")
        await clock.noSleepers()
    }

    @Test("D3 NOTHING: seconds of another clock limit no engine, which has its own", arguments: [true, false])
    func engineTimeout(isAnotherClock: Bool) async throws {
        let engine = DirectedEngine(), time = TransferTimeTests.ManualTime(), trace = EventTrace()
        let driver = TransferDriver(engine, timer: time.timer)
        let hour = Duration.seconds(3600)
        let deadline = isAnotherClock ? Deadline(after: hour, clock: clock) : Deadline(after: hour, clock: .continuous)
        _ = try ExchangeLocals.$current.withValue(PolicyContext(deadline: deadline).local) {
            driver.start(try hop("/0", timeout: 10_000), trace)
        }
        time.advance(seconds: 3601)
        if isAnotherClock { engine.answer(0) }
        #expect(await trace.end == (isAnotherClock ? "200 measured ." : "timedOut"))
    }

    /// A deadline that no alarm ends, and the context with it.
    private func silentDeadline() -> (clock: SleepyClock, context: PolicyContext) {
        let clock = SleepyClock()
        return (clock, PolicyContext(deadline: Deadline(after: .seconds(5), clock: clock)))
    }

    @Test("D3 NOTHING: a request whose turn comes after its deadline isn't sent", arguments: [false, true])
    func lateTurn(isInEngine: Bool) async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let engine = DirectedEngine(settings)
        let (clock, context) = silentDeadline()
        let whole: any TransferEngine = isInEngine ? engine.coalescing() : engine
        let driver = TransferDriver(whole)
        driver.start(try hop("/first"), EventTrace())
        await engine.started(1)
        let exchanges = try ExchangeLocals.$current.withValue(context.local) { try driver.start(0..<24) }
        clock.advance(by: .seconds(5))
        engine.answer(0)
        for (number, exchange) in exchanges.enumerated() {
            _ = await exchange.trace.end
            let error = try #require(exchange.trace.error as? DeadlineExceeded)
            #expect(error.url?.path() == "/\(number)" && error.stage == .connecting)
        }
        #expect(engine.paths == ["/first"])
    }

    @Test(
        "D3 NOTHING: a request that waits for the disk of a cache until its deadline is over isn't sent",
        .timeLimit(.minutes(10)), arguments: [false, true])
    func lateDisk(isShared: Bool) async throws {
        let scene = try FolderScene(), cache = scene.cache(), engine = DirectedEngine(), trace = EventTrace()
        let (clock, context) = silentDeadline(), mayGoOn = DispatchSemaphore(value: 0)
        let cached = engine.cached(in: cache), request = try hop("/a")
        let driver = TransferDriver(isShared ? cached.coalescing() : cached)
        // Before the folder was scanned, every look-up waits for it.
        cache.performInFolder { mayGoOn.wait() }
        _ = ExchangeLocals.$current.withValue(context.local) { driver.start(request, trace) }
        clock.advance(by: .seconds(5))
        mayGoOn.signal()
        _ = await trace.end
        let error = try #require(trace.error as? DeadlineExceeded)
        #expect(error == DeadlineExceeded(request.urlRequest, limit: .seconds(5), stage: .connecting))
        #expect(engine.paths.isEmpty)
        withExtendedLifetime(scene) {}
    }

    @Test("D3 NOTHING: a redirect isn't followed after the deadline")
    func lateRedirect() async throws {
        let engine = DirectedEngine(), trace = EventTrace(), request = try hop("/a")
        let (clock, context) = silentDeadline()
        let driver = TransferDriver(engine)
        _ = ExchangeLocals.$current.withValue(context.local) { driver.start(request, trace) }
        let head = TransferHead(url: try url("http://host/a"), status: 302, fields: [(name: "Location", value: "/b")])
        engine.tell(0, .head(head, request: request.urlRequest))
        clock.advance(by: .seconds(5))
        engine.tell(0, .finished)
        _ = await trace.end
        let error = try #require(trace.error as? DeadlineExceeded)
        #expect(error == DeadlineExceeded(request.urlRequest, limit: .seconds(5), stage: .connecting))
        #expect(engine.paths == ["/a"])
    }

    @Test("D3 NOTHING: if a redirect isn't followed, the error is about the caller's request, and how far that came")
    func lateRedirectOfFuture() async throws {
        let engine = DirectedEngine(), clock = SleepyClock()
        let dispatcher = URLRequestDispatcher(engine: engine).deadline(.seconds(5), clock: clock)
        var post = try request("POST", "http://host/a")
        post.httpBody = Data("body".utf8)
        let future = dispatcher.dataFuture(from: post)
        let task = Task { try await future.value }
        await engine.started(1)
        engine.tell(0, .sent(bytes: 4, expected: 4))
        let head = TransferHead(url: try url("http://host/a"), status: 303, fields: [(name: "Location", value: "/b")])
        engine.tell(0, .head(head, request: post))
        clock.advance(by: .seconds(5))
        engine.tell(0, .finished)
        let error = await #expect(throws: DeadlineExceeded.self) { try await task.value }
        #expect(error == DeadlineExceeded(post, limit: .seconds(5), stage: .responding))
        #expect(engine.paths == ["/a"])
    }

    @Test("D1 TOTAL: deadlines of different clocks are compared by the time left when the inner one begins")
    func clocks() async throws {
        let other = ManualClock(), before = Gate()
        let inside = server.dispatcher.deadline(.seconds(5), clock: other)
        let wrapped = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    try await before.passUnlessCancelled()
                    return try await inside.dataFuture(from: request).value
                })
        ])
        // Four of seven seconds are left, less than five.
        let future = wrapped.deadline(.seconds(7), clock: clock).dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrStage }
        await before.reached()
        await clock.sleepers()
        clock.advance(by: .seconds(3))
        before.open()
        await server.gate.reached()
        await clock.sleepers(2)
        other.advance(by: .seconds(100))
        clock.advance(by: .seconds(4))
        #expect(await task.value == "7.0 seconds connecting")
    }

    @Test("D1 TOTAL: the work and its tasks see the deadline and the time left; detached tasks have none")
    func travels() async throws {
        let log = EventLog(), clock = clock
        let note = { @Sendable in log(Deadline.current.map { "\($0.remaining)" } ?? "none") }
        let mock = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    clock.advance(by: .seconds(2))
                    note()
                    await Task { note() }.value
                    await Task.detached { note() }.value
                    return Response.makeMockResponse(with: request, statusCode: .ok)
                })
        ])
        let dispatcher = mock.deadline(.seconds(5), clock: clock)
        #expect(await dispatcher.dataFuture(from: try request("GET")).statusOrStage == "200")
        #expect(log.events == ["3.0 seconds", "3.0 seconds", "none"] && Deadline.current == nil)
        let deadline = Deadline(after: .seconds(5), clock: clock)
        #expect("\(deadline)" == "Deadline(in 5.0 seconds)" && deadline.limit == .seconds(5) && !deadline.isOver)
        clock.advance(by: .seconds(6))
        #expect(deadline.remaining == .zero && deadline.isOver)
    }

    @Test("D1 TOTAL, D3 NOTHING: an adapter's requests have the same deadline, after which nothing is sent")
    func adapters() async throws {
        let sleepy = SleepyClock(), log = EventLog(), origin = CacheOrigin { _, _ in .init() }
        let asking = AskingAdapter(dispatcher: server.dispatcher) {
            log(Deadline.current.map { "\($0.remaining)" } ?? "none")
            sleepy.advance(by: .seconds(5))
        }
        server.gate.open()
        let dispatcher = URLRequestDispatcher(engine: origin, requestAdapter: asking)
            .deadline(.seconds(5), clock: sleepy)
        #expect(await dispatcher.dataFuture(from: try request("GET")).statusOrStage == "5.0 seconds waiting")
        #expect(log.events == ["5.0 seconds"] && server.sent.value == 0 && origin.count == 0)
    }

    @Test("D3 NOTHING: no retry waits across the deadline; the last outcome is delivered instead")
    func crossingWait() async throws {
        let retries = SkippingClock(), get = try request("GET")
        func status(_ answer: MockAnswer, limit: Duration) async throws -> (String, Int) {
            let server = scripted(answer, .number(200))
            let future = server.retrying(.fixed(retries)).deadline(limit, clock: clock).dataFuture(from: get)
            return (await future.statusOrStage, server.exchanges.count)
        }
        // The wait is 7.35 seconds, or 25 milliseconds.
        let throttled = MockAnswer.number(503, headers: ["Retry-After": "7"])
        #expect(try await status(throttled, limit: .milliseconds(7350)) == ("503", 1))
        #expect(try await status(throttled, limit: .milliseconds(7351)) == ("200", 2))
        #expect(try await status(.broken(.timedOut), limit: .milliseconds(25)) == ("timedOut", 1))
        #expect(try await status(.broken(.timedOut), limit: .milliseconds(26)) == ("200", 2))
        #expect(retries.sleeps == [.milliseconds(7350), .milliseconds(25)])
    }

    @Test("D1 TOTAL, D2 PROMPT: the time counts through attempts and waits", arguments: [false, true])
    func retries(endsInWait: Bool) async throws {
        let clock = clock, sent = Counter(), retries = ManualClock(), gate = Gate()
        let mock = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    // The second attempt hangs.
                    if sent.increment() == 2 { try await gate.passUnlessCancelled() }
                    return Response.makeMockResponse(with: request, statusCode: .badGateway)
                })
        ])
        let future = mock.retrying(.fixed(retries)).deadline(.seconds(5), clock: clock)
            .dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrStage }
        await retries.sleepers()
        await clock.sleepers()
        clock.advance(by: .seconds(3))
        if !endsInWait {
            retries.advance(by: .seconds(1))
            await gate.reached()
        }
        clock.advance(by: .seconds(2))
        #expect(await task.value == (endsInWait ? "5.0 seconds waiting" : "5.0 seconds connecting"))
        await retries.noSleepers()
        retries.advance(by: .seconds(100))
        #expect(sent.value == (endsInWait ? 1 : 2))
    }

    @Test("D3 NOTHING: after a wait that was too long, nothing is sent")
    func lateWait() async throws {
        let sleepy = SleepyClock(), retries = ManualClock(), server = scripted(.number(502)), log = ObservedEvents()
        let future = server.retrying(.fixed(retries)).observed(by: log).deadline(.seconds(5), clock: sleepy)
            .dataFuture(from: try request("GET"))
        let task = Task { await future.statusOrStage }
        await retries.sleepers()
        sleepy.advance(by: .seconds(5))
        retries.advance(by: .seconds(1))
        #expect(await task.value == "5.0 seconds waiting" && server.exchanges.count == 1)
        await log.ended()
        #expect(!log.words.contains("restarted"))
    }

    @Test("Inside a retry a deadline limits each attempt, and counts as a timeout", arguments: ["GET", "POST"])
    func insideRetry(method: String) async throws {
        let arrivals = EventLog()
        let mock = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    arrivals("request")
                    try await Gate().passUnlessCancelled()
                    return Response.makeMockResponse(with: request, statusCode: .ok)
                })
        ])
        let dispatcher = mock.deadline(.seconds(1), clock: clock).retrying(.fixed(SkippingClock()))
        let future = dispatcher.dataFuture(from: try request(method))
        let task = Task { await future.statusOrStage }
        let attempts = method == "GET" ? 3 : 1
        // An attempt begins when the timer of the one before it is gone.
        for attempt in 1...attempts {
            await arrivals.wait(for: attempt)
            await clock.sleepers()
            clock.advance(by: .seconds(1))
        }
        #expect(await task.value == "1.0 seconds connecting" && arrivals.events.count == attempts)
    }

    @Test("D3 NOTHING: the decisions of a retry when its time runs out")
    func course() {
        var facts = RetryCourse.Facts(isWanted: true)
        let course = RetryCourse(maximumAttempts: 3, timing: .standard)
        func step(_ timeLeft: Duration?) -> RetryCourse.Step {
            facts.timeLeft = timeLeft
            return course.next(after: facts) { 0.5 }
        }
        let retry = RetryCourse.Step.retry(after: .milliseconds(25), cost: RetryTokens.cost)
        #expect(step(nil) == retry && step(.milliseconds(26)) == retry)
        #expect(step(.milliseconds(25)) == .deliver(tokens: 0) && step(.zero) == .deliver(tokens: 0))
    }
}
