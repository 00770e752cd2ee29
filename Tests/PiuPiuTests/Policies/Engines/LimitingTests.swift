import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Limiting", .timeLimit(.minutes(10)))
struct LimitingTests {
    private let engine = DirectedEngine()

    @Test("L2 SLOT: a slot is held until the terminal event, and given back once")
    func slot() async throws {
        let limited = engine.limited(to: 2)
        let exchanges = try limited.start(0..<5)
        #expect(engine.paths == ["/0", "/1"])
        engine.head(0)
        engine.tell(0, .body(Data("a".utf8)))
        #expect(engine.paths == ["/0", "/1"])
        engine.tell(0, .finished)
        await engine.started(3)
        #expect(exchanges[0].trace.text == "200 a .")
        // The exchange is over: it gives nothing more back.
        for _ in 0..<3 { exchanges[0].handle.cancel() }
        engine.answer(2)
        await engine.started(4)
        engine.fail(1, .connectionLost)
        await engine.started(5)
        #expect(engine.paths == ["/0", "/1", "/2", "/3", "/4"])
        #expect(engine.state.withLock { $0.mostRunning } == 2)
        #expect(await exchanges[1].trace.end == "connectionLost")
    }

    @Test("L2 SLOT: an engine that silently drops an exchange gives its slot back")
    func dropped() async throws {
        let limited = engine.limited(to: 1)
        let exchanges = try limited.start(0..<2)
        engine.state.withLock { $0.hops[0].onEvent = nil }
        #expect(await exchanges[0].trace.end == "connectionLost")
        await engine.started(2)
    }

    @Test("L2 SLOT: a cancelled exchange keeps its slot until the engine ends it")
    func cancelledWhileRunning() async throws {
        let engine = DirectedEngine(endsCancelled: false)
        let exchanges = try engine.limited(to: 1).start(0..<2)
        exchanges[0].handle.cancel()
        #expect(engine.calls(0) == ["cancel"] && engine.paths == ["/0"])
        engine.tell(0, .failed(CancellationError()))
        await engine.started(2)
        #expect(await exchanges[0].trace.end == "cancelled")
    }

    @Test("L3 FAIR: hosts take turns, and a full host doesn't hold up another")
    func hosts() async throws {
        let limited = engine.limited(to: 3, perHost: 2)
        let many = try limited.start(0..<6, host: "many"), few = try limited.start(10..<12, host: "few")
        #expect(engine.paths == ["/0", "/1", "/10"])
        engine.answer(0)
        await engine.started(4)
        engine.answer(3)
        await engine.started(5)
        #expect(engine.paths == ["/0", "/1", "/10", "/11", "/2"])
        _ = (many, few)
    }

    @Test("L4 LEAVE: ten thousand waiters, cancelled in random order, send nothing and lose no slot")
    func leave() async throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededGenerator(seed: seed)
        let limited = engine.limited(to: 1, perHost: 1)
        let exchanges = try limited.start(0..<10_002)
        for index in (2..<10_002).shuffled(using: &random) { exchanges[index].handle.cancel() }
        for index in 2..<10_002 { #expect(await exchanges[index].trace.end == "cancelled", "seed \(seed)") }
        #expect(engine.paths == ["/0"])
        engine.answer(0)
        await engine.started(2)
        engine.answer(1)
        #expect(await exchanges[1].trace.end == "200 .")
        #expect(engine.paths == ["/0", "/1"])
        try #expect(limited.start(7..<8).count == 1 && engine.paths.last == "/7")
    }

    @Test("L4 LEAVE: nothing is sent after a cancellation before the handle was there", arguments: [false, true])
    func leaveBeforeHandle(isCancelled: Bool) async throws {
        let future = Locked<ResponseFuture<Response<Data?>>?>(nil)
        let engine = LineEngine { if isCancelled { future.withLock { $0 }?.cancel() } }
        var request = URLRequest(url: try url("http://host/"))
        request.httpMethod = "POST"
        let sent = URLRequestDispatcher(engine: engine).dataFuture(from: request)
        future.withLock { $0 = sent }
        sent.send()
        #expect(await engine.turn == (isCancelled ? "cancelled" : "sent"))
        sent.cancel()
        future.withLock { $0 = nil }
    }

    @Test("L4 LEAVE: a line may have a bound, and beyond it a request fails at once")
    func bound() async throws {
        let limited = engine.limited(to: 1, maximumWaiting: 2)
        let exchanges = try limited.start(0..<4)
        #expect(await exchanges[3].trace.end == "full")
        let error = try #require(exchanges[3].trace.error as? LineFullError)
        #expect(error.maximumWaiting == 2 && error.url?.path() == "/3")
        exchanges[1].handle.cancel()
        let next = try limited.start(4..<5)
        engine.answer(0)
        await engine.started(2)
        engine.answer(1)
        await engine.started(3)
        #expect(engine.paths == ["/0", "/2", "/4"] && next[0].trace.all.isEmpty)
    }

    @Test("L4 LEAVE: the bound isn't for a later hop, as the one before it may still hold the slot")
    func laterHop() async throws {
        let engine = DirectedEngine(endsCancelled: false), trace = EventTrace()
        let driver = TransferDriver(engine.limited(to: 1, maximumWaiting: 0))
        driver.start(try hop("/0"), trace)
        let head = TransferHead(
            url: try url("http://host/0"), status: 302,
            fields: [(name: "Location", value: "/1"), (name: "Content-Length", value: "100000")])
        engine.tell(0, .head(head, request: try hop("/0").urlRequest))
        await engine.called(0, 1)
        engine.tell(0, .failed(CancellationError()))
        let answering = Task {
            await engine.started(2)
            if !Task.isCancelled { engine.answer(1) }
        }
        #expect(await trace.end.hasPrefix("200"))
        answering.cancel()
        #expect(engine.paths == ["/0", "/1"])
    }

    @Test("L4 LEAVE: nor is it for a replacement, as the request with the stale leftover may still hold the slot")
    func replacement() async throws {
        let limited = engine.limited(to: 1, maximumWaiting: 0), trace = EventTrace()
        limited.start(try hop("/0"), EventTrace())
        var replacement = try hop("/1")
        replacement.isReplacement = true
        limited.start(replacement, trace)
        engine.answer(0)
        let answering = Task {
            await engine.started(2)
            if !Task.isCancelled { engine.answer(1) }
        }
        #expect(await trace.end == "200 .")
        answering.cancel()
    }

    @Test("L5 BYPASS: a refresh of a credential skips the line")
    func bypass() async throws {
        let limited = engine.limited(to: 1, maximumWaiting: 1)
        _ = try limited.start(0..<2)
        let refresh = EventTrace()
        var token = try hop("/token")
        token.isOfCredentialRefresh = true
        limited.start(token, refresh)
        #expect(engine.paths == ["/0", "/token"])
        engine.answer(1)
        #expect(await refresh.end == "200 .")
    }

    @Test("L5 BYPASS: a refresh also skips its dispatcher's line, even after a redirect")
    func bypassOfDriver() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let engine = DirectedEngine(settings)
        let driver = TransferDriver(engine)
        let request = try hop("/token")
        let traces = (0..<3).map { _ in EventTrace() }
        driver.start(try hop("/0"), traces[0])
        driver.start(try hop("/1"), traces[1])
        var refresh = TransferRequest(request.urlRequest)
        refresh.isOfCredentialRefresh = true
        driver.start(refresh, traces[2])
        #expect(engine.paths == ["/0", "/token"])
        let head = TransferHead(
            url: try url("http://host/token"), status: 307, fields: [(name: "Location", value: "/token2")])
        engine.tell(1, .head(head, request: request.urlRequest))
        engine.tell(1, .finished)
        #expect(engine.paths == ["/0", "/token", "/token2"])
        #expect(engine.state.withLock { $0.hops[2].request.isOfCredentialRefresh })
    }

    @Test("Calls to a waiting exchange reach the engine when its turn comes")
    func remembered() async throws {
        let exchanges = try engine.limited(to: 1).start(0..<3)
        exchanges[1].handle.pause()
        exchanges[2].handle.pause()
        exchanges[2].handle.resume()
        engine.answer(0)
        await engine.started(2)
        await engine.called(1, 1)
        exchanges[1].handle.resume()
        await engine.called(1, 2)
        #expect(engine.calls(1) == ["pause", "resume"])
        engine.answer(1)
        await engine.started(3)
        exchanges[2].handle.cancel()
        await engine.called(2, 1)
        #expect(engine.calls(2) == ["cancel"])
    }

    @Test("Invalidation: waiting exchanges are sent, then the engine finishes; newcomers are refused")
    func finish() async throws {
        let limited = engine.limited(to: 1)
        let exchanges = try limited.start(0..<2)
        limited.finishTasksAndInvalidate()
        let refused = try limited.start(2..<3)
        #expect(await refused[0].trace.end == "sessionInvalidated")
        engine.answer(0)
        await engine.started(2)
        #expect(engine.state.withLock { $0.ends } == [])
        engine.answer(1)
        #expect(await exchanges[1].trace.end == "200 .")
        await engine.state.wait { $0.ends == ["finish"] }
    }

    @Test("Invalidation: waiting exchanges are cancelled without being sent, and so is the engine", arguments: 0..<20)
    func cancelAll(round: Int) async throws {
        let limited = engine.limited(to: 1)
        let exchanges = try limited.start(0..<20)
        limited.invalidateAndCancel()
        limited.finishTasksAndInvalidate()
        for exchange in exchanges { #expect(await exchange.trace.end == "cancelled") }
        #expect(engine.paths == ["/0"] && engine.state.withLock { $0.ends } == ["cancel"])
    }

    @Test("Invalidation: the same for the line of a dispatcher", arguments: 0..<5)
    func cancelAllOfDriver(round: Int) async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let engine = DirectedEngine(settings), driver = TransferDriver(engine)
        let exchanges = try driver.start(0..<20)
        driver.invalidateAndCancel()
        for exchange in exchanges { #expect(await exchange.trace.end == "cancelled") }
        #expect(engine.paths == ["/0"] && engine.state.withLock { $0.ends } == ["cancel"])
    }

    @Test("An engine's own limit per host applies below, where HTTP/2 raises it")
    func settings() async throws {
        var settings = TransferSettings()
        (settings.exchangesPerOrigin, settings.exchangesPerMultiplexedOrigin) = (2, 4)
        let engine = DirectedEngine(settings)
        let driver = TransferDriver(engine.limited(to: 5, maximumWaiting: 3))
        let exchanges = try driver.start(0..<9)
        #expect(await exchanges[8].trace.end == "full")
        #expect(engine.paths == ["/0", "/1"])
        let head = TransferHead(url: try url("http://host/0"), status: 200, version: "HTTP/2")
        engine.tell(0, .head(head, request: try hop("/0").urlRequest))
        await engine.started(4)
        engine.tell(0, .finished)
        await engine.started(5)
        #expect(engine.state.withLock { $0.mostRunning } == 4)
    }

    @Test(
        "A body of unknown length waits only for its like, and an answer to it over HTTP/1.1 lowers no limit",
        arguments: [true, false])
    func unknownLength(isDecorated: Bool) async throws {
        var settings = TransferSettings()
        (settings.exchangesPerOrigin, settings.exchangesPerMultiplexedOrigin) = (1, 2)
        let engine = DirectedEngine(settings, streamsBodies: true)
        let driver = TransferDriver(isDecorated ? engine.limited(to: 9) : engine)
        func start(_ path: String, _ body: TransferBody? = nil) throws {
            driver.start(try hop(path, body: body), EventTrace())
        }
        func answer(_ number: Int, version: String) throws {
            let request = engine.state.withLock { $0.hops[number].request.urlRequest }
            let head = TransferHead(url: try #require(request.url), status: 200, version: version)
            engine.tell(number, .head(head, request: request))
        }
        try start("/1")
        for path in ["/upload", "/waiting"] {
            try start(path, .chunks(TransferChunks(AsyncStream<Data> { $0.finish() })))
        }
        #expect(engine.paths == ["/1", "/upload"])
        try answer(0, version: "HTTP/2")
        try answer(1, version: "HTTP/1.1")
        try start("/2")
        #expect(engine.paths == ["/1", "/upload", "/2"])
        engine.tell(1, .finished)
        await engine.started(4)
        #expect(engine.paths.last == "/waiting")
    }

    @Test("An engine's own limit per host is one for all dispatchers that were decorated from the same one")
    func settingsOfSeveral() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 2
        let engine = DirectedEngine(settings), network = EngineRouter(engine)
        let (first, second) = (network.decorated { $0.limited(to: 9) }, network.decorated { $0.limited(to: 9) })
        let exchanges = try first.start(0..<2) + second.start(2..<4)
        #expect(engine.paths == ["/0", "/1"])
        for hop in 0..<4 {
            await engine.started(hop + 1)
            engine.answer(hop)
        }
        for exchange in exchanges { #expect(await exchange.trace.end == "200 measured .") }
        #expect(engine.state.withLock { $0.mostRunning } == 2)
    }

    @Test("An engine's own limit of streams is one for them and the one that they were made from", arguments: 0..<3)
    func streamsOfSeveral(first: Int) async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 2
        let engine = DirectedEngine(settings), network = EngineRouter(engine)
        let all = [network, network.decorated { $0.limited(to: 9) }, network.decorated { $0.coalescing() }]
        for number in 0..<3 {
            var request = try hop("/\(number)", isLarge: true)
            request.isStream = true
            all[(first + number) % 3].start(request, EventTrace())
        }
        #expect(engine.paths == ["/0", "/1"])
        engine.answer(0)
        await engine.started(3)
        #expect(engine.paths == ["/0", "/1", "/2"])
    }
}

@Suite("Limiting and time", .timeLimit(.minutes(10)))
struct LimitingTimeTests {
    private let time = TransferTimeTests.ManualTime()

    @Test("L1 OUTSIDE: no timeout runs while a request waits; it starts afterwards", arguments: [false, true])
    func timeout(isMoreThanOneLine: Bool) async throws {
        let engine = DirectedEngine()
        let limited = isMoreThanOneLine ? engine.limited(to: 1).limited(to: 1) : engine.limited(to: 1)
        let driver = TransferDriver(limited, timer: time.timer)
        let traces = (0..<2).map { _ in EventTrace() }
        driver.start(try hop("/0", timeout: 1_000_000), traces[0])
        driver.start(try hop("/1", timeout: 10), traces[1])
        time.advance(seconds: 100_000)
        #expect(traces[1].all.isEmpty)
        engine.answer(0)
        await engine.started(2)
        time.advance(seconds: 9)
        #expect(traces[1].all.isEmpty)
        time.advance(seconds: 1)
        #expect(await traces[1].end == "timedOut")
    }

    @Test("L1 OUTSIDE: the whole timeout of a configuration does run, and its request leaves the line")
    func whole() async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = 5
        let engine = DirectedEngine(settings)
        let limited = engine.limited(to: 1)
        // Without a driver nothing ends this exchange, so it keeps its slot.
        _ = try limited.start(0..<1)
        let trace = EventTrace()
        TransferDriver(limited, timer: time.timer).start(try hop("/1"), trace)
        time.advance(seconds: 5)
        #expect(await trace.end == "timedOut")
        engine.answer(0)
        #expect(engine.paths == ["/0"])
    }

    @Test("L1 OUTSIDE: the metrics don't count the wait")
    func metrics() async throws {
        let engine = DirectedEngine()
        let driver = TransferDriver(engine.limited(to: 1), timer: time.timer)
        let traces = (0..<2).map { _ in EventTrace() }
        driver.start(try hop("/0", timeout: 1_000_000), traces[0])
        driver.start(try hop("/1"), traces[1])
        time.advance(seconds: 1_000)
        engine.answer(0)
        await engine.started(2)
        time.advance(seconds: 7)
        engine.answer(1)
        #expect(await traces[1].end == "200 measured .")
        guard case .measured(let metrics) = traces[1].all[1] else { return #expect(Bool(false)) }
        #expect(metrics.total == .seconds(7))
    }
}
