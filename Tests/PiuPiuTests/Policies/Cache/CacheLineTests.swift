import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: streams and the limit of open ones", .timeLimit(.minutes(10)))
struct CacheLineTests {
    private func stream(_ path: String, _ headers: [String: String] = [:]) throws -> TransferRequest {
        var request = try hop(path, headers: headers, isLarge: true)
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
}
