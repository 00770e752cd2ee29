import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: what is removed or replaced while a request is in flight", .timeLimit(.minutes(10)))
struct CacheRemovalTests {
    private let scene: FolderScene
    private let engine = DirectedEngine()
    private let time = TransferTimeTests.ManualTime()

    init() throws { scene = try FolderScene() }

    enum Removal: CaseIterable, Sendable { case none, everything, url, post }
    enum Failure: CaseIterable, Sendable {
        case connection, status, silence

        /// The end of a request that fails so.
        var text: String {
            switch self {
            case .connection: "connectionLost"
            case .status: "503 ."
            case .silence: "timedOut"
            }
        }
    }

    private func driver(_ cache: HTTPCache) -> TransferDriver {
        TransferDriver(engine.cached(in: cache), timer: time.timer)
    }

    /// Suspends until the last event, and returns all of them in short, without the figures of the driver.
    private func end(of trace: EventTrace) async -> String {
        await trace.end.replacingOccurrences(of: " measured", with: "")
    }

    /// Answers an exchange with a response that is stale after a second.
    private func tell(
        _ hop: Int, status: Int = 200, _ body: String? = nil, control: String = "max-age=1, stale-if-error=60"
    ) throws {
        let url = try url("http://host/a")
        let fields = [("Cache-Control", control), ("ETag", "\"\(hop)\"")]
        engine.tell(hop, .head(TransferHead(url: url, status: status, fields: fields), request: URLRequest(url: url)))
        if let body { engine.tell(hop, .body(Data(body.utf8))) }
        engine.tell(hop, .finished)
    }

    /// Has a stale response stored, and a request in flight that validates it.
    private func validate(by driver: TransferDriver) async throws -> EventTrace {
        let first = EventTrace(), trace = EventTrace()
        driver.start(try hop("/a", timeout: 10), first)
        await engine.started(1)
        try tell(0, "old")
        #expect(await end(of: first) == "200 old .")
        scene.clock.advance(by: 10)
        driver.start(try hop("/a", timeout: 10), trace)
        await engine.started(2)
        return trace
    }

    /// Ends the validation without an answer.
    private func fail(_ failure: Failure) throws {
        switch failure {
        case .connection: engine.fail(1, .connectionLost)
        case .status: try tell(1, status: 503)
        case .silence: time.advance(seconds: 10)
        }
    }

    private func remove(_ removal: Removal, from cache: HTTPCache, by driver: TransferDriver) async throws {
        switch removal {
        case .none: break
        case .everything: cache.removeAll()
        case .url: cache.remove(try url("http://host/a"))
        case .post:
            let count = engine.paths.count, post = EventTrace()
            driver.start(try hop("/a", method: "POST"), post)
            await engine.started(count + 1)
            engine.answer(count)
            #expect(await end(of: post) == "200 .")
        }
    }

    private static let cases: [(Removal, Failure, Int)] = Removal.allCases.flatMap { removal in
        Failure.allCases.flatMap { failure in [0, 16 << 20].map { (removal, failure, $0) } }
    }

    @Test(
        """
        K5 STALE, K8 INVALIDATE: a response that is removed while the server is asked doesn't take the place of an \
        answer, and any other does, also one without room in memory
        """, arguments: cases)
    func removed(removal: Removal, failure: Failure, memoryLimit: Int) async throws {
        let cache = scene.cache(memoryLimit: memoryLimit), driver = driver(cache)
        let trace = try await validate(by: driver)
        try await remove(removal, from: cache, by: driver)
        try fail(failure)
        #expect(await end(of: trace) == (removal == .none ? "200 old ." : failure.text))
    }

    /// Has a reload answered while a request in flight validates.
    private func reload(_ control: String = "max-age=1, stale-if-error=60", by driver: TransferDriver) async throws {
        var reload = try hop("/a")
        reload.urlRequest.cachePolicy = .reloadIgnoringLocalCacheData
        let trace = EventTrace()
        driver.start(reload, trace)
        await engine.started(3)
        try tell(2, "new", control: control)
        #expect(await end(of: trace) == "200 new .")
    }

    @Test(
        "K1 KEY, K5 STALE: the response of a reload answers a request whose validation fails",
        arguments: Failure.allCases)
    func replaced(failure: Failure) async throws {
        let driver = driver(scene.cache()), trace = try await validate(by: driver)
        try await reload(by: driver)
        try fail(failure)
        #expect(await end(of: trace) == "200 new .")
    }

    @Test(
        "K5 STALE: where memory has no room for the response of a reload, the older one still answers",
        arguments: Failure.allCases)
    func replacedInFolder(failure: Failure) async throws {
        let driver = driver(scene.cache(memoryLimit: 0)), trace = try await validate(by: driver)
        try await reload(by: driver)
        try fail(failure)
        #expect(await end(of: trace) == "200 old .")
    }

    @Test(
        "K5 STALE: a response that a reload has shown to be out of date, whose own isn't stored, answers no request",
        arguments: Failure.allCases)
    func outdated(failure: Failure) async throws {
        let driver = driver(scene.cache()), trace = try await validate(by: driver)
        try await reload("no-store", by: driver)
        try fail(failure)
        #expect(await end(of: trace) == failure.text)
    }

    @Test(
        "K5 STALE: the response of a reload that is still fresh answers as a hit, whatever it says of a stale one",
        arguments: Failure.allCases, ["max-age=60", "max-age=60, must-revalidate"])
    func fresh(failure: Failure, control: String) async throws {
        let cache = scene.cache(), driver = driver(cache), trace = try await validate(by: driver)
        try await reload(control, by: driver)
        try fail(failure)
        #expect(await end(of: trace) == "200 new .")
        let statuses = trace.all.compactMap { event -> CacheStatus? in
            if case .head(let head, _) = event { head.cacheStatus } else { nil }
        }
        #expect(statuses == [CacheStatus(isHit: true, ttl: 60)])
        #expect(cache.statistics.hits == 1 && cache.statistics.staleHits == 0)
    }

    @Test(
        "K10 STORAGE: what has arrived of a response that is removed leaves the folder, although no more of it comes",
        arguments: Removal.allCases)
    func arriving(removal: Removal) async throws {
        let cache = scene.cache(), driver = driver(cache), trace = EventTrace()
        driver.start(try hop("/a", isLarge: true), trace)
        await engine.started(1)
        let url = try url("http://host/a"), fields = [("Cache-Control", "max-age=60")]
        engine.tell(0, .head(TransferHead(url: url, status: 200, fields: fields), request: URLRequest(url: url)))
        engine.tell(0, .body(Data(count: 2 << 20)))
        #expect(try scene.names.count == 1 && cache.reserved.folder == 2 << 20)
        try await remove(removal, from: cache, by: driver)
        await cache.flush()
        let isKept = removal == .none
        #expect(try scene.names.count == (isKept ? 1 : 0))
        #expect(cache.reserved == (0, isKept ? 2 << 20 : 0))
        engine.tell(0, .body(Data(count: 2 << 20)))
        engine.tell(0, .finished)
        #expect(await trace.end.hasSuffix(" ."))
        await cache.flush()
        #expect(try scene.files.count == (isKept ? 1 : 0) && scene.names.count == scene.files.count)
        #expect(cache.unfinished == (0, 0) && cache.reserved == (0, 0))
    }
}
