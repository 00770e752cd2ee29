import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: streams and the limit of open ones", .timeLimit(.minutes(10)))
struct CacheLineTests {
    private func stream(
        _ path: String, _ headers: [String: String] = [:], timeout: TimeInterval = 60
    ) throws -> TransferRequest {
        var request = try hop(path, headers: headers, isLarge: true, timeout: timeout)
        request.isStream = true
        return request
    }

    @Test("K12 STREAMS: a stream that the cache answers doesn't wait for open streams", arguments: [false, true])
    func answered(isCoalescing: Bool) async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let engine = DirectedEngine(settings), cached = engine.cached(in: HTTPCache(WallClock()))
        let driver = TransferDriver(isCoalescing ? cached.coalescing() : cached), address = try url("http://host/a")
        let first = EventTrace(), waiting = EventTrace(), known = EventTrace(), offline = EventTrace()
        driver.start(try hop("/a"), first)
        await engine.started(1)
        let head = TransferHead(url: address, status: 200, fields: [("Cache-Control", "max-age=60")])
        engine.tell(0, .head(head, request: URLRequest(url: address)))
        engine.tell(0, .body(Data("a".utf8)))
        engine.tell(0, .finished)
        #expect(await first.end.hasPrefix("200 a "))
        driver.start(try stream("/open"), EventTrace())
        await engine.started(2)
        driver.start(try stream("/waiting"), waiting)
        driver.start(try stream("/a"), known)
        #expect(await known.end.hasPrefix("200 a "))
        driver.start(try stream("/none", ["Cache-Control": "only-if-cached"]), offline)
        #expect(await offline.end.hasPrefix("504 "))
        #expect(waiting.all.isEmpty && engine.paths == ["/a", "/open"])
    }

    @Test(
        "K5 STALE, K12 STREAMS: the validation behind a stale stream doesn't wait for open streams",
        .timeLimit(.minutes(10)))
    func validated() async throws {
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let engine = DirectedEngine(settings), clock = WallClock(), address = try url("http://host/a")
        let driver = TransferDriver(engine.cached(in: HTTPCache(clock))), first = EventTrace(), stale = EventTrace()
        driver.start(try hop("/a"), first)
        await engine.started(1)
        let fields = [(name: "Cache-Control", value: "max-age=1, stale-while-revalidate=60")]
        let head = TransferHead(url: address, status: 200, fields: fields)
        engine.tell(0, .head(head, request: URLRequest(url: address)))
        engine.tell(0, .body(Data("a".utf8)))
        engine.tell(0, .finished)
        #expect(await first.end.hasPrefix("200 a "))
        driver.start(try stream("/open"), EventTrace())
        await engine.started(2)
        clock.advance(by: 10)
        driver.start(try stream("/a"), stale)
        #expect(await stale.end.hasPrefix("200 a "))
        await engine.started(3)
        #expect(engine.paths == ["/a", "/open", "/a"])
    }

    @Test(
        "K10 STORAGE, K12 STREAMS: a stream whose file was evicted waits for open streams", .timeLimit(.minutes(10)))
    func evicted() async throws {
        // Each body is in a file, and the fourth file takes the place of the first.
        let scene = try FolderScene(FolderScene.letters(300_000))
        let cache = scene.cache(memoryLimit: 1 << 20, diskLimit: 1_000_000)
        for path in ["/a", "/b", "/c", "/d"] { _ = try await scene.get(path, over: cache) }
        #expect(cache.statistics.memoryCount == 4 && cache.statistics.diskCount == 3)
        var settings = TransferSettings()
        settings.exchangesPerOrigin = 1
        let engine = DirectedEngine(settings), time = TransferTimeTests.ManualTime()
        let driver = TransferDriver(engine.cached(in: cache), timer: time.timer)
        let known = EventTrace(), evicted = EventTrace()
        driver.start(try stream("/open"), EventTrace())
        await engine.started(1)
        driver.start(try stream("/d"), known)
        #expect(await known.end.hasSuffix("."))
        driver.start(try stream("/a", timeout: 10), evicted)
        time.advance(seconds: 10)
        #expect(await evicted.end == "tooManyStreams")
        #expect(engine.paths == ["/open"])
        withExtendedLifetime(scene) {}
    }
}
