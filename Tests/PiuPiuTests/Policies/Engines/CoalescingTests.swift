import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Coalescing", .timeLimit(.minutes(10)))
struct CoalescingTests {
    private let engine = DirectedEngine()

    @TaskLocal private static var user = "nobody"

    /// How many exchanges two requests become.
    private func exchanges(_ first: TransferRequest, _ second: TransferRequest) async throws -> Int {
        let engine = DirectedEngine(), coalescing = engine.coalescing()
        coalescing.start(first, EventTrace())
        coalescing.start(second, EventTrace())
        // It starts after them, as exchanges start in order.
        coalescing.start(try hop("/last"), EventTrace())
        await engine.state.wait { $0.hops.contains { $0.request.urlRequest.url?.path() == "/last" } }
        return engine.paths.count - 1
    }

    @Test("C1 KEY: one exchange for the same method, URL and headers")
    func key() async throws {
        let plain = try hop("/a")
        check(try await exchanges(plain, plain), 1)
        check(try await exchanges(plain, try hop("/a", method: "GET")), 1)
        check(try await exchanges(try hop("/a", method: "HEAD"), try hop("/a", method: "HEAD")), 1)
        let named = try hop("/a", headers: ["X-A": "1"])
        check(try await exchanges(named, try hop("/a", headers: ["x-a": "1"])), 1)
        check(try await exchanges(plain, try hop("/a", timeout: 1)), 1)
        for other in [
            try hop("/b"), try hop("/a?b"), try hop("/a", host: "other"), try hop("/a", method: "HEAD"), named,
            try hop("/a", headers: ["Authorization": "Bearer 1"]),
        ] {
            check(try await exchanges(plain, other), 2)
        }
        check(try await exchanges(named, try hop("/a", headers: ["X-A": "2"])), 2)
        var restricted = plain
        restricted.urlRequest.allowsCellularAccess = false
        check(try await exchanges(plain, restricted), 2)
        check(try await exchanges(restricted, restricted), 1)
        var copy = plain
        copy.copy = 2
        check(try await exchanges(plain, copy), 2)
        check(try await exchanges(copy, copy), 1)
    }

    @Test("C5 NOT, C1 KEY: other methods, bodies, streams, downloads and refreshes are exchanges of their own")
    func others() async throws {
        var stream = try hop("/a")
        stream.isStream = true
        var refresh = try hop("/a")
        refresh.isOfCredentialRefresh = true
        for request in [
            try hop("/a", method: "POST"), try hop("/a", method: "PUT"), try hop("/a", method: "OPTIONS"),
            try hop("/a", body: .data(Data("a".utf8))), try hop("/a", isLarge: true), stream, refresh,
        ] {
            check(try await exchanges(request, request), 2)
            check(try await exchanges(try hop("/a"), request), 2)
        }
    }

    @Test("A host that stops to multiplex gets fewer exchanges at once again, under a decorator too")
    func multiplexingNoMore() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        settings.exchangesPerMultiplexedOrigin = 3
        let engine = DirectedEngine(settings), driver = TransferDriver(engine.coalescing())
        for number in 1...6 { driver.start(try hop("/\(number)"), EventTrace()) }
        func answer(_ hop: Int, version: String) throws {
            let request = engine.state.withLock { $0.hops[hop].request.urlRequest }
            let head = TransferHead(url: try #require(request.url), status: 200, version: version)
            engine.tell(hop, .head(head, request: request))
            engine.tell(hop, .finished)
        }
        await engine.started(1)
        try answer(0, version: "HTTP/2")
        await engine.started(4)
        engine.state.withLock { $0.mostRunning = 0 }
        for hop in 1...4 {
            await engine.started(hop + 1)
            try answer(hop, version: "HTTP/1.1")
        }
        await engine.started(6)
        #expect(engine.state.withLock { $0.mostRunning } == 1)
    }

    @Test("C3 WHEN: a burst of a thousand is one exchange, and each caller gets all of it")
    func burst() async throws {
        let coalescing = engine.coalescing(), request = try hop("/a")
        let traces = (0..<1_000).map { _ in EventTrace() }
        for trace in traces[..<400] { coalescing.start(request, trace) }
        await engine.started(1)
        engine.head(0)
        engine.tell(0, .body(Data("one".utf8)))
        for trace in traces[400..<800] { coalescing.start(request, trace) }
        engine.tell(0, .body(Data("two".utf8)))
        for trace in traces[800...] { coalescing.start(request, trace) }
        engine.tell(0, .finished)
        for trace in traces { #expect(await trace.end == "200 one two .") }
        #expect(engine.paths == ["/a"])
    }

    @Test("C3 WHEN: a failure is shared too, and the outcome isn't kept", arguments: [true, false])
    func outcome(isFailure: Bool) async throws {
        let coalescing = engine.coalescing(), traces = (0..<4).map { _ in EventTrace() }
        for number in 0..<2 { coalescing.start(try hop("/a"), traces[number]) }
        await engine.started(1)
        if isFailure { engine.fail(0, .connectionLost) } else { engine.answer(0) }
        for trace in traces[..<2] { #expect(await trace.end == (isFailure ? "connectionLost" : "200 .")) }
        for number in 2..<4 { coalescing.start(try hop("/a"), traces[number]) }
        await engine.started(2)
        engine.answer(1, body: "new")
        for trace in traces[2...] { #expect(await trace.end == "200 new .") }
    }

    @Test("C2 INTEREST: the first may leave, and the exchange ends with the last")
    func interest() async throws {
        let coalescing = engine.coalescing(), traces = (0..<3).map { _ in EventTrace() }, request = try hop("/a")
        let handles = traces.map { coalescing.start(request, $0) }
        await engine.started(1)
        engine.head(0)
        handles[0].cancel()
        #expect(await traces[0].end == "200 cancelled")
        handles[1].cancel()
        handles[1].cancel()
        #expect(await traces[1].end == "200 cancelled")
        #expect(engine.calls(0).isEmpty)
        handles[2].cancel()
        #expect(await traces[2].end == "200 cancelled")
        // The shared exchange may get its handle after the engine has noted the request.
        await engine.called(0, 1)
        #expect(engine.calls(0) == ["cancel"])
        // A new request doesn't join it.
        let next = EventTrace()
        coalescing.start(request, next)
        await engine.started(2)
        engine.answer(1)
        #expect(await next.end == "200 .")
    }

    @Test("C2 INTEREST: ten thousand requests, cancelled in random order, cancel their one exchange once")
    func many() async throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededGenerator(seed: seed)
        let coalescing = engine.coalescing(), request = try hop("/a")
        let exchanges = (0..<10_000).map { _ in
            let trace = EventTrace()
            return (trace: trace, handle: coalescing.start(request, trace))
        }
        await engine.started(1)
        for exchange in exchanges.shuffled(using: &random) { exchange.handle.cancel() }
        for exchange in exchanges { #expect(await exchange.trace.end == "cancelled", "seed \(seed)") }
        await engine.called(0, 1)
        #expect(engine.paths == ["/a"] && engine.calls(0) == ["cancel"])
    }

    @Test("C4 NEUTRAL: the exchange has neither the task-local values nor the timeout of the first")
    func neutral() async throws {
        struct Noting: TransferEngine {
            let engine: DirectedEngine
            let users = Locked<[String]>([])
            func start(
                _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
            ) -> any TransferHandle {
                users.withLock { $0.append(CoalescingTests.user) }
                return engine.start(request, onEvent: onEvent)
            }
            func finishTasksAndInvalidate() {}
            func invalidateAndCancel() {}
        }
        let noting = Noting(engine: engine), time = TransferTimeTests.ManualTime()
        let driver = TransferDriver(noting.coalescing(), timer: time.timer), traces = (0..<2).map { _ in EventTrace() }
        try Self.$user.withValue("ada") { _ = driver.start(try hop("/a", timeout: 1), traces[0]) }
        driver.start(try hop("/a", timeout: 100), traces[1])
        await engine.started(1)
        time.advance(seconds: 50)
        #expect(await traces[0].end == "timedOut")
        engine.answer(0)
        #expect(await traces[1].end == "200 measured .")
        #expect(noting.users.withLock { $0 } == ["nobody"])
        let request = engine.state.withLock { $0.hops[0].request }
        #expect(request.urlRequest.timeoutInterval > 1_000_000)
        // A connection is waited for as usual, or as long as the first caller waits.
        #expect(request.sharedTimeout == 60)
        driver.start(try hop("/b", timeout: 100), EventTrace())
        await engine.started(2)
        #expect(engine.state.withLock { $0.hops[1].request.sharedTimeout } == 100)
    }

    @Test("The exchange pauses when all callers pause, and resumes for one that reads")
    func holding() async throws {
        let coalescing = engine.coalescing(), traces = (0..<3).map { _ in EventTrace() }
        let first = coalescing.start(try hop("/a"), traces[0]), second = coalescing.start(try hop("/a"), traces[1])
        await engine.started(1)
        first.pause()
        engine.answer(0, body: "a")
        #expect(await traces[1].end == "200 a .")
        #expect(traces[0].all.isEmpty)
        first.resume()
        #expect(await traces[0].end == "200 a .")
        second.pause()
        let third = coalescing.start(try hop("/b"), traces[2])
        third.pause()
        await engine.started(2)
        await engine.called(1, 1)
        #expect(engine.calls(1) == ["pause"])
        coalescing.start(try hop("/b"), EventTrace())
        await engine.called(1, 2)
        #expect(engine.calls(1) == ["pause", "resume"])
    }

    @Test("L1 OUTSIDE: each caller learns that the exchange waits, and when its turn begins")
    func waiting() async throws {
        let limited = engine.limited(to: 1), coalescing = limited.coalescing(), log = EventLog()
        limited.start(try hop("/0"), EventTrace())
        func start(_ name: String) throws {
            var request = try hop("/a")
            request.turn = NotedTurn(name: name, log: log)
            coalescing.start(request, EventTrace())
        }
        try start("first")
        #expect(await log.all(1) == ["first waits"])
        try start("second")
        #expect(log.events == ["first waits", "second waits"])
        engine.answer(0)
        #expect(Set(await log.all(4).suffix(2)) == ["first begins", "second begins"])
        await engine.started(2)
        try start("third")
        #expect(log.events.suffix(2) == ["third waits", "third begins"] && log.events.count == 6)
    }

    @Test("L1 OUTSIDE, K10 STORAGE: each caller learns that the exchange waits for a disk, and for how long")
    func waitingForDisk() async throws {
        let coalescing = engine.coalescing(), log = EventLog()
        func start(_ name: String) throws -> any TransferHandle {
            var request = try hop("/a")
            request.turn = NotedTurn(name: name, log: log)
            return coalescing.start(request, EventTrace())
        }
        _ = try start("first")
        await engine.started(1)
        let turn = engine.state.withLock { $0.hops[0].request.turn }
        turn?.waitsForDisk()
        #expect(log.events == ["first waits for the disk"])
        let second = try start("second")
        #expect(log.events.suffix(1) == ["second waits for the disk"])
        // It may go on with another exchange.
        second.cancel()
        #expect(log.events.suffix(1) == ["second goes on"])
        try turn?.leavesDisk()
        #expect(log.events.suffix(1) == ["first goes on"] && log.events.count == 4)
        _ = try start("third")
        #expect(log.events.count == 4)
    }

    @Test("A request that joins one that was sent is admitted, too")
    func admission() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 6
        let engine = DirectedEngine(settings), get = try request("GET")
        let dispatcher = URLRequestDispatcher(engine: engine).coalescing()
        let observers = [ObservedEvents(), ObservedEvents()]
        var tasks: [Task<String, Never>] = []
        for observer in observers {
            let future = dispatcher.observed(by: observer).dataFuture(from: get)
            tasks.append(Task { await future.statusOrError })
            await observer.event("admitted")
        }
        await engine.started(1)
        engine.answer(0)
        for task in tasks { #expect(await task.value == "200") }
        for observer in observers {
            #expect(await observer.ended() == ["started", "admitted", "head 200", "finished 200"])
        }
        #expect(engine.paths.count == 1)
    }

    @Test("C2 INTEREST: the exchange isn't sent once no caller may send it", arguments: [false, true])
    func refusedTurn(hasOther: Bool) async throws {
        let other = Locked<(@Sendable () -> Void)?>(nil)
        let line = LineEngine { other.withLock { $0.take() }?() }, coalescing = line.coalescing()
        var request = try hop("/a")
        let plain = request, trace = EventTrace()
        if hasOther { other.withLock { $0 = { coalescing.start(plain, EventTrace()) } } }
        request.turn = RefusingTurn()
        coalescing.start(request, trace)
        #expect(await line.turn == (hasOther ? "sent" : "cancelled"))
        #expect(await trace.end == "full")
    }

    @Test("Invalidation: the exchange in flight finishes, and newcomers are refused, even those that would join it")
    func finish() async throws {
        let coalescing = engine.coalescing(), traces = (0..<2).map { _ in EventTrace() }
        coalescing.start(try hop("/a"), traces[0])
        coalescing.finishTasksAndInvalidate()
        coalescing.start(try hop("/a"), traces[1])
        #expect(await traces[1].end == "sessionInvalidated")
        await engine.state.wait { $0.ends == ["finish"] }
        engine.answer(0)
        #expect(await traces[0].end == "200 .")
    }
}

/// Logs the wait and the turn of a caller.
private struct NotedTurn: TransferTurn {
    let name: String
    let log: EventLog

    func waits() { log("\(name) waits") }
    func begins() { log("\(name) begins") }
    func waitsForDisk() { log("\(name) waits for the disk") }
    func leavesDisk() { log("\(name) goes on") }
}

/// Of a caller that may not send any more.
private struct RefusingTurn: TransferTurn {
    func waits() {}
    func begins() throws { throw LineFullError(maximumWaiting: 1) }
    func waitsForDisk() {}
    func leavesDisk() {}
}
