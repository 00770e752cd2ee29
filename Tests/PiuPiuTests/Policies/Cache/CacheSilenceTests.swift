import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: silent servers", .timeLimit(.minutes(10)))
struct CacheSilenceTests {
    private let clock = WallClock()
    private let time = TransferTimeTests.ManualTime()
    private let engine = DirectedEngine()
    private let policyClock = ManualClock()

    private func cached(_ base: any TransferEngine, folder: URL? = nil, memoryLimit: Int = 1 << 20)
        -> any TransferEngine
    {
        base.cached(
            in: HTTPCache(
                memoryLimit: memoryLimit, folder: folder,
                now: { [clock] in Date(timeIntervalSince1970: clock.now) }))
    }

    /// Answers an exchange as a server does that allows stale responses, if there is an error or otherwise, or doesn't.
    private func tell(
        _ hop: Int, status: Int = 200, _ body: String? = nil, stale: String? = "stale-if-error", ends: Bool = true
    ) throws {
        let url = try url("http://host/a"), stale = stale.map { ", \($0)=60" } ?? ""
        let fields = [("ETag", "\"a\""), ("Cache-Control", "max-age=1\(stale)")]
        engine.tell(hop, .head(TransferHead(url: url, status: status, fields: fields), request: URLRequest(url: url)))
        if let body { engine.tell(hop, .body(Data(body.utf8))) }
        if ends { engine.tell(hop, .finished) }
    }

    /// Has a response stored that is stale by now.
    private func store(
        _ driver: TransferDriver, _ body: String = "stored", stale: String? = "stale-if-error"
    ) async throws {
        let trace = EventTrace()
        driver.start(try hop("/a", timeout: 10), trace)
        await engine.started(1)
        try tell(0, body, stale: stale)
        _ = await trace.end
        clock.advance(by: 10)
    }

    /// Waits until the second exchange of the engine is there, and those above it have its handle: a pause needs that.
    private func reached(_ handles: [any TransferHandle]) async {
        await engine.started(2)
        for handle in handles { handle.pause() }
        await engine.called(1, 1)
        for handle in handles { handle.resume() }
        await engine.called(1, 2)
    }

    enum Place: CaseIterable { case alone, underOwn, underLimit, underBreaker, underBoth, underCoalescing, underAll }

    @Test(
        "K5 STALE: stale-if-error answers after the time limit of a request, wherever the cache is",
        arguments: Place.allCases)
    func recovered(place: Place) async throws {
        let cached = cached(engine)
        let whole =
            switch place {
            case .alone: cached
            case .underOwn: OwnEngine(base: cached)
            case .underLimit: cached.limited(to: 1)
            case .underBreaker: cached.breaking()
            case .underBoth: cached.breaking().limited(to: 1)
            case .underCoalescing: cached.coalescing()
            case .underAll: cached.breaking().limited(to: 1).coalescing()
            }
        let driver = TransferDriver(whole, timer: time.timer), trace = EventTrace()
        try await store(driver)
        let handle = driver.start(try hop("/a", timeout: 10), trace)
        await reached([handle])
        time.advance(seconds: 9)
        #expect(trace.all.isEmpty)
        time.advance(seconds: 1)
        #expect(await trace.end.hasPrefix("200 stored "))
        await engine.called(1, 3)
        #expect(engine.calls(1) == ["pause", "resume", "cancel"])
        guard case .head(let head, _)? = trace.all.first else {
            Issue.record("no head")
            return
        }
        #expect(head.cacheStatus?.description == "PiuPiu; fwd=stale; ttl=-9; detail=stale-on-error")
        // Nothing is left that a limit could end.
        time.advance(seconds: 1000)
        #expect(time.alarms == [])
    }

    @Test("K5 STALE, C4 NEUTRAL: all callers of a shared exchange get the stored response, at whatever time of each")
    func recoveredForAll() async throws {
        let driver = TransferDriver(cached(engine).coalescing(), timer: time.timer)
        try await store(driver)
        let traces = (0..<3).map { _ in EventTrace() }
        await reached(try traces.map { driver.start(try hop("/a", timeout: 10), $0) })
        time.advance(seconds: 10)
        for trace in traces { #expect(await trace.end.hasPrefix("200 stored ")) }
        #expect(engine.paths.count == 2)
    }

    @Test(
        "K5 STALE, C4 NEUTRAL: a validation in the background ends after the usual time, below a shared exchange, too",
        .timeLimit(.minutes(10)), arguments: [false, true])
    func background(isShared: Bool) async throws {
        let cached = cached(engine), whole = isShared ? cached.coalescing() : cached
        let driver = TransferDriver(whole, timer: time.timer), trace = EventTrace()
        try await store(driver, stale: "stale-while-revalidate")
        driver.start(try hop("/a"), trace)
        #expect(await trace.end.hasPrefix("200 stored "))
        await engine.started(2)
        time.advance(seconds: 60)
        await engine.called(1, 1)
        #expect(engine.calls(1) == ["cancel"])
    }

    @Test("C4 NEUTRAL: a validation below a shared exchange waits for its connection no longer than others")
    func connectionOfShared() async throws {
        let driver = TransferDriver(cached(engine).coalescing(), timer: time.timer)
        try await store(driver)
        driver.start(try hop("/a", timeout: 10), EventTrace())
        await engine.started(2)
        #expect(engine.state.withLock { $0.hops.map(\.request.sharedTimeout) } == [60, 60])
    }

    @Test("C2 INTEREST: the time limit of one caller ends nothing for another one who waits longer")
    func patience() async throws {
        let driver = TransferDriver(cached(engine).coalescing(), timer: time.timer)
        try await store(driver)
        let short = EventTrace(), long = EventTrace()
        driver.start(try hop("/a", timeout: 1), short)
        driver.start(try hop("/a", timeout: 10), long)
        await engine.started(2)
        time.advance(seconds: 2)
        #expect(await short.end.contains("timedOut"))
        try tell(1, "new")
        #expect(await long.end.hasPrefix("200 new"))
    }

    @Test("K5 STALE, K12 STREAMS: a large stored response answers from its file")
    func recoveredFile() async throws {
        let folder = try TemporaryFolder(), text = String(repeating: "s", count: 3 << 20)
        let driver = TransferDriver(
            cached(engine, folder: folder.url, memoryLimit: 4000), timer: time.timer)
        try await store(driver, text)
        let trace = EventTrace()
        driver.start(try hop("/a", timeout: 10), trace)
        await engine.started(2)
        time.advance(seconds: 10)
        #expect(await trace.end.hasSuffix("."))
        let bodies = trace.all.compactMap { if case .body(let chunk) = $0 { chunk.count } else { nil } }
        #expect(bodies.reduce(0, +) == text.utf8.count)
    }

    @Test("BREAKER: the silence counts against the server, although its caller has an answer")
    func breakerBelow() async throws {
        var breaker = CircuitBreaker(clock: policyClock)
        breaker.minimumExchanges = 2
        let driver = TransferDriver(cached(engine.breaking(breaker)), timer: time.timer)
        try await store(driver)
        let silent = EventTrace(), refused = EventTrace()
        driver.start(try hop("/a", timeout: 10), silent)
        await engine.started(2)
        time.advance(seconds: 10)
        #expect(await silent.end.hasPrefix("200 stored "))
        // One of two exchanges has failed, so that the circuit is open.
        driver.start(try hop("/a", timeout: 10), refused)
        #expect(await refused.end.hasPrefix("200 stored "))
        #expect(engine.paths.count == 2)
    }

    enum Reason: CaseIterable { case noPermission, wholeLimit, ownDeadline, begun }

    @Test(
        "K5 STALE: without permission, after the whole limit or a deadline, and in the body, there is no stale answer",
        arguments: Reason.allCases)
    func notRecovered(reason: Reason) async throws {
        var settings = TransferSettings()
        settings.wholeTimeout = reason == .wholeLimit ? 10 : nil
        let driver = TransferDriver(SettingEngine(base: cached(engine), settings: settings), timer: time.timer)
        try await store(driver, stale: reason == .noPermission ? nil : "stale-if-error")
        let deadline = reason == .ownDeadline ? Deadline(after: .seconds(10), clock: .continuous) : nil,
            trace = EventTrace()
        try ExchangeLocals.$current.withValue(PolicyContext(deadline: deadline).local) {
            _ = driver.start(try hop("/a", timeout: reason == .ownDeadline || reason == .wholeLimit ? 20 : 10), trace)
        }
        await engine.started(2)
        if reason == .begun { try tell(1, "new", ends: false) }
        time.advance(seconds: 10)
        #expect(await trace.end.hasSuffix("timedOut"))
    }

    @Test(
        "K10 STORAGE: while a look-up waits for the disk, no server is silent; after that it has all of its time",
        .timeLimit(.minutes(10)), arguments: [false, true], [false, true])
    func slowLookUp(isStored: Bool, isWrapped: Bool) async throws {
        let scene = try FolderScene(), earlier = scene.cache(), cache = scene.cache()
        if isStored { _ = try await scene.get(over: earlier) }
        await earlier.flush()
        let cached = engine.cached(in: cache)
        // An engine of a user's own forwards the settings.
        let whole: any TransferEngine = isWrapped ? SettingEngine(base: cached, settings: cached.settings) : cached
        let driver = TransferDriver(whole, timer: time.timer), trace = EventTrace()
        let mayGoOn = DispatchSemaphore(value: 0)
        cache.performInFolder { mayGoOn.wait() }
        driver.start(try hop("/a", timeout: 10), trace)
        time.advance(seconds: 1000)
        mayGoOn.signal()
        if !isStored {
            await engine.started(1)
            time.advance(seconds: 9)
            #expect(engine.calls(0).isEmpty)
            time.advance(seconds: 1)
        }
        let end = await trace.end
        #expect(isStored ? end.hasPrefix("200 body 1 ") : end == "timedOut")
        withExtendedLifetime(scene) {}
    }

    @Test(
        "K10 STORAGE, K12 STREAMS: while a body that has come waits for the disk, no server is silent",
        arguments: [false, true])
    func slowEnd(isShared: Bool) async throws {
        let scene = try FolderScene(), cache = scene.cache(), cached = engine.cached(in: cache)
        // The folder is scanned first: before that, every look-up waits for it.
        _ = try await scene.get("/first", over: cache)
        await cache.flush()
        let whole = isShared ? cached.breaking().coalescing() : cached
        let driver = TransferDriver(whole, timer: time.timer), trace = EventTrace()
        driver.start(try hop("/a", timeout: 10), trace)
        await engine.started(1)
        try tell(0, String(repeating: "s", count: 2 << 20), ends: false)
        let mayGoOn = DispatchSemaphore(value: 0)
        cache.performInFolder { mayGoOn.wait() }
        engine.tell(0, .finished)
        time.advance(seconds: 1000)
        mayGoOn.signal()
        #expect(await trace.end.hasSuffix(" ."))
        #expect(cache.statistics.stores == 2)
        withExtendedLifetime(scene) {}
    }

    @Test(
        "K10 STORAGE, K12 STREAMS: while a part of a body is written to the disk, or read there, no server is silent",
        .timeLimit(.minutes(10)))
    func slowParts() async throws {
        let scene = try FolderScene(), cache = scene.cache(), cached = engine.cached(in: cache), log = EventLog()
        // The folder is scanned first: before that, every look-up waits for it.
        _ = try await scene.get("/first", over: cache)
        await cache.flush()
        var request = try hop("/a")
        request.turn = DiskTurn(log: log)
        let first = EventTrace(), second = EventTrace()
        cached.start(request, first)
        await engine.started(1)
        try tell(0, "s", ends: false)
        #expect(log.events.isEmpty)
        // The first of them no longer fits into memory.
        for count in 1...2 {
            engine.tell(0, .body(Data(count: 1 << 20)))
            #expect(log.events == DiskTurn.pairs(count))
        }
        engine.tell(0, .finished)
        #expect(await first.end.hasSuffix("."))
        #expect(log.events == DiskTurn.pairs(3))
        cached.start(request, second)
        #expect(await second.end.hasSuffix("."))
        // It is verified, and read in nine parts of at most 256 KB.
        #expect(log.events == DiskTurn.pairs(13) && engine.paths == ["/a"])
        withExtendedLifetime(scene) {}
    }

    /// Notes the waits for the disk.
    private struct DiskTurn: TransferTurn {
        let log: EventLog

        static func pairs(_ count: Int) -> [String] { (0..<count).flatMap { _ in ["waits", "goes on"] } }

        func waits() {}
        func begins() {}
        func waitsForDisk() { log("waits") }
        func leavesDisk() { log("goes on") }
    }

    /// An engine with other settings.
    private struct SettingEngine: TransferEngine {
        let base: any TransferEngine
        let settings: TransferSettings

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle { base.start(request, onEvent: onEvent) }

        func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }
        func invalidateAndCancel() { base.invalidateAndCancel() }
    }
}
