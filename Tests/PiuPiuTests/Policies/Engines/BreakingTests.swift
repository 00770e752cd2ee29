import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Breaking", .timeLimit(.minutes(10)))
struct BreakingTests {
    private let engine = DirectedEngine()
    private let clock = ManualClock()

    private func breaking(_ count: Int = 1) -> any TransferEngine {
        var breaker = CircuitBreaker(clock: clock)
        breaker.minimumExchanges = count
        return engine.breaking(breaker)
    }

    /// Whether the circuit is open after an exchange that goes like this.
    private func opens(isLarge: Bool = false, _ exchange: (any TransferHandle) -> Void) async throws -> Bool {
        let breaking = breaking(), trace = EventTrace()
        let count = engine.paths.count
        exchange(breaking.start(try hop("/", isLarge: isLarge), EventTrace()))
        breaking.start(try hop("/next"), trace)
        let isOpen = engine.paths.count == count + 1
        if isOpen { #expect(await trace.end == "open") }
        return isOpen
    }

    private var last: Int { engine.paths.count - 1 }

    @Test(
        "BREAKER: failures are statuses from 500", arguments: [500, 501, 503, 599, 200, 301, 400, 404, 408, 425, 429])
    func statuses(status: Int) async throws {
        #expect(try await opens { _ in engine.answer(last, status: status) } == (status >= 500))
    }

    @Test("BREAKER: failures are the passing errors", arguments: TransferError.Kind.allCases)
    func errors(kind: TransferError.Kind) async throws {
        let isFailure = RetryRules.passingErrors.contains(kind)
        #expect(try await opens { _ in engine.fail(last, kind) } == isFailure)
        let isFailureLater = try await opens { _ in
            engine.head(last)
            engine.fail(last, kind)
        }
        #expect(isFailureLater == isFailure)
    }

    @Test("BREAKER: a cancellation is no failure, nor is an error of another kind")
    func cancellation() async throws {
        #expect(try await !opens { $0.cancel() })
        #expect(try await !opens { _ in engine.tell(last, .failed(CancellationError())) })
        #expect(try await !opens { _ in engine.tell(last, .failed(LineFullError(maximumWaiting: 1))) })
        let isOpen = try await opens { handle in
            engine.head(last)
            handle.cancel()
        }
        #expect(!isOpen)
    }

    @Test("BREAKER: a failure counts, although the chunks of the body then end with an error")
    func cancelledChunks() async throws {
        let engine = DirectedEngine(streamsBodies: true), gate = Gate(), trace = EventTrace()
        var breaker = CircuitBreaker(clock: clock)
        breaker.minimumExchanges = 1
        let breaking = engine.breaking(breaker)
        let chunks = AskedChunks(1) { _ in
            do { try await gate.passUnlessCancelled() } catch { throw TransferError(.connectionLost) }
        }
        breaking.start(try hop("/", method: "POST", body: .chunks(TransferChunks(chunks))), EventTrace())
        let body = engine.state.withLock { $0.hops[0].request.body }
        let reading = Task { try await body.collected() }
        await gate.reached()
        reading.cancel()
        await #expect(throws: TransferError.self) { try await reading.value }
        engine.fail(0, .connectionLost)
        breaking.start(try hop("/next"), trace)
        #expect(await trace.end == "open")
    }

    @Test("BREAKER: an interim head decides nothing, and a head of 500 decides at once")
    func heads() async throws {
        #expect(try await opens { _ in engine.head(last, status: 500) })
        let isOpen = try await opens { _ in
            engine.head(last, status: 103)
            engine.fail(last, .connectionLost)
        }
        #expect(isOpen)
    }

    @Test("BREAKER: the head decides for streams and downloads")
    func large() async throws {
        let isOpen = try await opens(isLarge: true) { _ in
            engine.head(last)
            engine.fail(last, .connectionLost)
        }
        #expect(!isOpen)
        #expect(try await opens(isLarge: true) { _ in engine.fail(last, .connectionLost) })
    }

    @Test("BREAKER: an open circuit says how long, and blocks only its own origin")
    func error() async throws {
        let breaking = breaking(20)
        for _ in 0..<20 {
            breaking.start(try hop("/"), EventTrace())
            engine.fail(last, .cannotConnect)
        }
        clock.advance(by: .seconds(2))
        let trace = EventTrace()
        breaking.start(try hop("/a?token=secret"), trace)
        #expect(await trace.end == "open")
        let error = try #require(trace.error as? CircuitOpenError)
        #expect(error.retryAfter == .seconds(3) && error.origin == "http://host:80")
        #expect(error.localizedDescription.contains("3") && !"\(error)".contains("secret"))
        breaking.start(try hop("/b", host: "other"), EventTrace())
        #expect(engine.paths.count == 21 && engine.paths.last == "/b")
        clock.advance(by: .seconds(3))
        breaking.start(try hop("/probe"), EventTrace())
        breaking.start(try hop("/c"), EventTrace())
        #expect(engine.paths.last == "/probe")
        engine.answer(last)
        breaking.start(try hop("/d"), EventTrace())
        #expect(engine.paths.last == "/d")
    }

    @Test("BREAKER: a cancelled probe gives its turn back at once, before the engine ends it")
    func cancelledProbe() async throws {
        let breaking = breaking()
        breaking.start(try hop("/"), EventTrace())
        engine.fail(0, .timedOut)
        clock.advance(by: .seconds(5))
        let probe = breaking.start(try hop("/probe"), EventTrace())
        probe.cancel()
        breaking.start(try hop("/second"), EventTrace())
        #expect(engine.paths.last == "/second")
    }

    @Test("BREAKER: a slow probe doesn't keep other requests from a server that works again")
    func slowProbe() async throws {
        var breaker = CircuitBreaker(clock: clock)
        breaker.minimumExchanges = 1
        let dispatcher = URLRequestDispatcher(engine: engine).breaking(breaker), get = try request("GET")
        let failing = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await engine.started(1)
        engine.fail(0, .timedOut)
        #expect(await failing.value == "timedOut")
        clock.advance(by: .seconds(5))
        let slow = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await engine.started(2)
        await #expect(throws: CircuitOpenError.self) { try await dispatcher.dataFuture(from: get).value }
        clock.advance(by: .seconds(5))
        engine.state.withLock { $0.duringStart = { [engine] in engine.answer(2) } }
        #expect(await dispatcher.dataFuture(from: get).statusOrError == "200")
        engine.fail(1, .timedOut)
        #expect(await slow.value == "timedOut")
        engine.state.withLock { $0.duringStart = { [engine] in engine.answer(3) } }
        #expect(await dispatcher.dataFuture(from: get).statusOrError == "200", "it stays closed")
    }

    @Test(
        "BREAKER: a timeout counts as a failure, although the dispatcher gives up, even before it has the handle",
        arguments: [false, true], [false, true])
    func timeout(isDuringStart: Bool, isWrapped: Bool) async throws {
        let time = TransferTimeTests.ManualTime(), trace = EventTrace(), breaking = breaking()
        let driver = TransferDriver(isWrapped ? OwnEngine(base: breaking) : breaking, timer: time.timer)
        if isDuringStart { engine.state.withLock { $0.duringStart = { time.advance(seconds: 10) } } }
        driver.start(try hop("/", timeout: 10), trace)
        time.advance(seconds: 10)
        #expect(await trace.end == "timedOut")
        let next = EventTrace()
        driver.start(try hop("/next"), next)
        #expect(await next.end == "open")
        #expect(engine.paths == ["/"])
    }

    @Test("BREAKER: a timeout in line doesn't count against the server")
    func timeoutInLine() async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = 5
        let engine = DirectedEngine(settings), time = TransferTimeTests.ManualTime()
        var breaker = CircuitBreaker(clock: clock)
        breaker.minimumExchanges = 1
        let limited = engine.limited(to: 1)
        let driver = TransferDriver(limited.breaking(breaker), timer: time.timer), trace = EventTrace()
        limited.start(try hop("/0"), EventTrace())
        driver.start(try hop("/1"), trace)
        time.advance(seconds: 5)
        #expect(await trace.end == "timedOut")
        engine.answer(0)
        driver.start(try hop("/2"), EventTrace())
        await engine.started(2)
        #expect(engine.paths == ["/0", "/2"])
    }

    @Test("BREAKER: once it opens, requests in line below aren't sent, and the stack doesn't overflow")
    func line() async throws {
        var breaker = CircuitBreaker(clock: clock)
        breaker.minimumExchanges = 1
        let breaking = engine.limited(to: 1).breaking(breaker)
        let exchanges = try breaking.start(0..<10_000)
        engine.fail(0, .cannotConnect)
        for exchange in exchanges.dropFirst() { #expect(await exchange.trace.end == "open") }
        #expect(engine.paths == ["/0"])
        clock.advance(by: .seconds(5))
        _ = try breaking.start(1..<2)
        #expect(engine.paths == ["/0", "/1"])
    }

    /// A host has one place for exchanges of each size, and a circuit that the first failure opens.
    private func narrow() -> (DirectedEngine, TransferDriver) {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let engine = DirectedEngine(settings)
        var breaker = CircuitBreaker(clock: clock)
        breaker.minimumExchanges = 1
        return (engine, TransferDriver(engine.breaking(breaker)))
    }

    @Test("BREAKER: an open circuit fails at once, even if all slots of its host are taken")
    func beforeTheLine() async throws {
        let (engine, driver) = narrow(), traces = (0..<3).map { _ in EventTrace() }
        driver.start(try hop("/0"), traces[0])
        driver.start(try hop("/1"), traces[1])
        driver.start(try hop("/large", isLarge: true), EventTrace())
        #expect(engine.paths == ["/0", "/large"])
        engine.fail(1, .cannotConnect)
        driver.start(try hop("/2"), traces[2])
        #expect(await traces[2].end == "open")
        #expect(traces[1].all.isEmpty)
        engine.answer(0)
        #expect(await traces[1].end == "open")
        #expect(engine.paths == ["/0", "/large"])
    }

    @Test("BREAKER: while a probe waits in line, another exchange may be the probe")
    func waitingProbe() async throws {
        let (engine, driver) = narrow(), refused = EventTrace()
        driver.start(try hop("/held", isLarge: true), EventTrace())
        driver.start(try hop("/0"), EventTrace())
        engine.fail(1, .cannotConnect)
        clock.advance(by: .seconds(5))
        driver.start(try hop("/large", isLarge: true), EventTrace())
        driver.start(try hop("/probe"), EventTrace())
        driver.start(try hop("/other"), refused)
        #expect(await refused.end == "open")
        try #require(engine.paths == ["/held", "/0", "/probe"])
        engine.answer(2)
        driver.start(try hop("/next"), EventTrace())
        engine.answer(0)
        await engine.started(5)
        #expect(engine.paths.suffix(2) == ["/next", "/large"])
    }

    @Test("BREAKER: an engine that silently drops an exchange has failed")
    func dropped() async throws {
        let breaking = breaking(), trace = EventTrace()
        breaking.start(try hop("/"), trace)
        engine.state.withLock { $0.hops[0].onEvent = nil }
        #expect(await trace.end == "connectionLost")
        #expect(engine.paths == ["/"])
        let next = EventTrace()
        breaking.start(try hop("/next"), next)
        #expect(await next.end == "open")
    }

    @Test(
        "BREAKER: an end by the caller's own deadline doesn't count against the server; one by the whole limit does",
        arguments: [false, true])
    func deadline(hasWholeLimit: Bool) async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = hasWholeLimit ? 4 : nil
        let engine = DirectedEngine(settings), time = TransferTimeTests.ManualTime(), trace = EventTrace()
        var breaker = CircuitBreaker(clock: clock)
        breaker.minimumExchanges = 1
        let driver = TransferDriver(engine.breaking(breaker), timer: time.timer)
        let deadline = Deadline(after: .seconds(3600), clock: .continuous)
        try ExchangeLocals.$current.withValue(PolicyContext(deadline: deadline).local) {
            _ = driver.start(try hop("/", timeout: 10_000), trace)
        }
        time.advance(seconds: hasWholeLimit ? 4 : 3600)
        #expect(await trace.end == "timedOut")
        driver.start(try hop("/next"), EventTrace())
        #expect(engine.paths == (hasWholeLimit ? ["/"] : ["/", "/next"]))
    }
}
