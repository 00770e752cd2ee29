import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What comes late, after the answer to a newer request.
extension CacheArrivalTests {
    /// Answers a validation of the first response with a 304 that forbids storing.
    private func forbid(_ number: Int) throws {
        let url = try url("http://host/a"), fields = [("Cache-Control", "no-store"), ("ETag", "\"0\"")]
        engine.tell(number, .head(TransferHead(url: url, status: 304, fields: fields), request: URLRequest(url: url)))
        engine.tell(number, .finished)
    }

    @Test(
        "K2 STORE: an answer that comes late isn't stored after a newer one that can't be stored",
        arguments: [["Cache-Control": "no-store"], ["Vary": "*"], ["Content-Length": "1099511627776"]], [false, true])
    func lateAfterUnstored(field: [String: String], isArriving: Bool) async throws {
        let url = try url("http://host/a"), slow = EventTrace(), newer = EventTrace()
        func tell(_ number: Int, _ fields: [(String, String)]) {
            let head = TransferHead(url: url, status: 200, fields: [("Cache-Control", "max-age=3600")] + fields)
            engine.tell(number, .head(head, request: URLRequest(url: url)))
        }
        cached.start(try hop("/a"), slow)
        await engine.started(1)
        // What is arriving is known to be older, whatever the clock says.
        if isArriving { tell(0, [("Vary", "Foo")]) } else { clock.advance(by: 1) }
        cached.start(try hop("/a", headers: reload), newer)
        await engine.started(2)
        tell(1, field.map { ($0.key, $0.value) })
        end(1)
        #expect(await newer.end == "200 v1 .")
        if !isArriving { tell(0, [("Vary", "Foo")]) }
        end(0)
        #expect(await slow.end == "200 v0 .")
        #expect(try await stored == "504 .")
        #expect(cache.unfinished == (0, 0))
    }

    @Test("K2 STORE, K6 VALIDATE: an answer that comes late isn't stored after a newer 304 that forbids storing")
    func lateAfterForbidding() async throws {
        let first = try await begin(0)
        end(0)
        #expect(await first.end == "200 v0 .")
        let slow = EventTrace(), newer = EventTrace()
        cached.start(try hop("/a", headers: reload), slow)
        await engine.started(2)
        clock.advance(by: 1)
        // Another header, so that it doesn't share the validation.
        cached.start(try hop("/a", headers: ["Cache-Control": "no-cache", "X-Request-ID": "2"]), newer)
        await engine.started(3)
        try forbid(2)
        #expect(await newer.end == "200 v0 .")
        try head(1)
        end(1)
        #expect(await slow.end == "200 v1 .")
        #expect(try await stored == "504 .")
        #expect(cache.unfinished == (0, 0))
    }

    @Test("K1 KEY: an answer that can't be stored keeps none of another variant out")
    func otherVariant() async throws {
        let url = try url("http://host/a"), slow = EventTrace(), newer = EventTrace(), last = EventTrace()
        cached.start(try hop("/a", headers: ["Foo": "1"]), slow)
        await engine.started(1)
        clock.advance(by: 1)
        cached.start(try hop("/a", headers: ["Foo": "2"]), newer)
        await engine.started(2)
        for (number, control) in [(1, "no-store"), (0, "max-age=3600")] {
            let head = TransferHead(url: url, status: 200, fields: [("Cache-Control", control), ("Vary", "Foo")])
            engine.tell(number, .head(head, request: URLRequest(url: url)))
            end(number)
        }
        #expect(await newer.end == "200 v1 .")
        #expect(await slow.end == "200 v0 .")
        cached.start(try hop("/a", headers: ["Foo": "1", "Cache-Control": "only-if-cached"]), last)
        #expect(await last.end == "200 v0 .")
        #expect(cache.unfinished == (0, 0))
    }

    @Test(
        "K6 VALIDATE: the answer to a HEAD that comes late doesn't change that to a newer request",
        arguments: [false, true])
    func lateDescription(isSame: Bool) async throws {
        let url = try url("http://host/a"), slow = EventTrace(), last = EventTrace()
        cached.start(try hop("/a", method: "HEAD"), slow)
        await engine.started(1)
        clock.advance(by: 1)
        let newer = try await begin(1)
        end(1)
        #expect(await newer.end == "200 v1 .")
        let fields = [("Cache-Control", "max-age=3600"), ("ETag", isSame ? "\"1\"" : "\"0\""), ("Vary", "Foo")]
        engine.tell(0, .head(TransferHead(url: url, status: 200, fields: fields), request: URLRequest(url: url)))
        engine.tell(0, .finished)
        #expect(await slow.end == "200 .")
        cached.start(try hop("/a", headers: ["Foo": "1", "Cache-Control": "only-if-cached"]), last)
        #expect(await last.end == "200 v1 .")
        #expect(cache.unfinished == (0, 0))
    }

    @Test(
        "K6 VALIDATE: a 304 that comes late and forbids storing doesn't remove the answer to a newer request",
        arguments: [0, 16 << 20])
    func lateForbidding(memoryLimit: Int) async throws {
        let scene = try FolderScene(), cache = scene.cache(memoryLimit: memoryLimit), cached = engine.cached(in: cache)
        let first = EventTrace(), slow = EventTrace(), newer = EventTrace(), last = EventTrace()
        cached.start(try hop("/a"), first)
        await engine.started(1)
        try head(0)
        end(0)
        #expect(await first.end == "200 v0 .")
        cached.start(try hop("/a", headers: reload), slow)
        await engine.started(2)
        scene.clock.advance(by: 1)
        // Another header, so that it doesn't share the validation.
        cached.start(try hop("/a", headers: ["Cache-Control": "no-cache", "X-Request-ID": "2"]), newer)
        await engine.started(3)
        try head(2)
        end(2)
        #expect(await newer.end == "200 v2 .")
        try forbid(1)
        #expect(await slow.end == "200 v0 .")
        cached.start(try hop("/a", headers: ["Cache-Control": "only-if-cached"]), last)
        #expect(await last.end == "200 v2 .")
        #expect(cache.unfinished == (0, 0))
        await cache.flush()
        #expect(try scene.files.count == 1)
    }
}
