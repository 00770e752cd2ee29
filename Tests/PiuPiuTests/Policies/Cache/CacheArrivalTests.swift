import Dispatch
import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses of one URL that arrive at the same time.
@Suite("HTTP cache: concurrent responses", .timeLimit(.minutes(10)))
struct CacheArrivalTests {
    let clock = WallClock()
    let engine = DirectedEngine()
    let cache: HTTPCache
    let cached: any TransferEngine
    let reload = ["Cache-Control": "no-cache"]

    init() {
        cache = HTTPCache(clock)
        cached = engine.cached(in: cache)
    }

    /// Starts a request, and delivers the head of its response.
    func begin(_ number: Int, _ fields: [String: String] = [:], isLarge: Bool = false) async throws -> EventTrace {
        let trace = EventTrace()
        cached.start(try hop("/a", headers: fields, isLarge: isLarge), trace)
        await engine.started(number + 1)
        try head(number)
        return trace
    }

    func head(_ number: Int) throws {
        let url = try url("http://host/a"), fields = [("Cache-Control", "max-age=3600"), ("ETag", "\"\(number)\"")]
        engine.tell(number, .head(TransferHead(url: url, status: 200, fields: fields), request: URLRequest(url: url)))
    }

    func end(_ number: Int) {
        engine.tell(number, .body(Data("v\(number)".utf8)))
        engine.tell(number, .finished)
    }

    /// The answer of the cache alone.
    var stored: String {
        get async throws {
            let trace = EventTrace()
            cached.start(try hop("/a", headers: ["Cache-Control": "only-if-cached"]), trace)
            return await trace.end
        }
    }

    @Test("K2 STORE, K7 REQUEST: a slow reader neither keeps a reload out of the cache nor undoes it")
    func reloaded() async throws {
        let first = try await begin(0)
        end(0)
        #expect(await first.end == "200 v0 .")
        let slow = try await begin(1, reload, isLarge: true)
        engine.tell(1, .body(Data("half of ".utf8)))
        let newer = try await begin(2, reload)
        end(2)
        #expect(await newer.end == "200 v2 .")
        #expect(try await stored == "200 v2 .")
        end(1)
        #expect(await slow.end == "200 half of  v1 .")
        #expect(try await stored == "200 v2 .")
        #expect(cache.unfinished == (0, 0))
    }

    @Test("K2 STORE: an answer that comes late isn't stored over that to a newer request")
    func late() async throws {
        let slow = EventTrace()
        cached.start(try hop("/a"), slow)
        await engine.started(1)
        clock.advance(by: 1)
        let newer = try await begin(1)
        end(1)
        #expect(await newer.end == "200 v1 .")
        try head(0)
        end(0)
        #expect(await slow.end == "200 v0 .")
        #expect(try await stored == "200 v1 .")
        // A clock that was set back makes no answer a late one.
        clock.advance(by: -100)
        let next = try await begin(2, reload)
        end(2)
        #expect(await next.end == "200 v2 .")
        #expect(try await stored == "200 v2 .")
    }

    @Test("K2 STORE: a late answer isn't stored over a newer one in the folder either, for which memory has no room")
    func lateWithoutMemory() async throws {
        let scene = try FolderScene(), cache = scene.cache(memoryLimit: 0), cached = engine.cached(in: cache)
        let slow = EventTrace(), newer = EventTrace(), last = EventTrace()
        cached.start(try hop("/a"), slow)
        await engine.started(1)
        scene.clock.advance(by: 1)
        cached.start(try hop("/a"), newer)
        await engine.started(2)
        try head(1)
        end(1)
        #expect(await newer.end == "200 v1 .")
        try head(0)
        end(0)
        #expect(await slow.end == "200 v0 .")
        cached.start(try hop("/a", headers: ["Cache-Control": "only-if-cached"]), last)
        #expect(await last.end == "200 v1 .")
        #expect(cache.unfinished == (0, 0))
        #expect(try scene.files.count == 1)
    }

    @Test("K6 VALIDATE: a 304 that comes late isn't stored over the answer to a newer request of that variant")
    func lateValidation() async throws {
        let url = try url("http://host/a"), fields = [("Cache-Control", "max-age=3600"), ("Vary", "Foo")]
        func tell(_ hop: Int, status: Int, tag: String, body: String? = nil) {
            let head = TransferHead(url: url, status: status, fields: fields + [("ETag", "\"\(tag)\"")])
            engine.tell(hop, .head(head, request: URLRequest(url: url)))
            if let body { engine.tell(hop, .body(Data(body.utf8))) }
            engine.tell(hop, .finished)
        }
        let first = EventTrace(), slow = EventTrace(), newer = EventTrace(), last = EventTrace()
        cached.start(try hop("/a", headers: ["Foo": "1"]), first)
        await engine.started(1)
        tell(0, status: 200, tag: "a", body: "old")
        #expect(await first.end == "200 old .")
        cached.start(try hop("/a", headers: ["Foo": "2"]), slow)
        await engine.started(2)
        clock.advance(by: 1)
        // Another header, so that it doesn't share the validation.
        cached.start(try hop("/a", headers: ["Foo": "2", "X-Request-ID": "2"]), newer)
        await engine.started(3)
        tell(2, status: 200, tag: "b", body: "new")
        #expect(await newer.end == "200 new .")
        tell(1, status: 304, tag: "a")
        #expect(await slow.end == "200 old .")
        cached.start(try hop("/a", headers: ["Foo": "2", "Cache-Control": "only-if-cached"]), last)
        #expect(await last.end == "200 new .")
        #expect(cache.unfinished == (0, 0))
    }

    @Test("K2 STORE: the first of several responses is stored, even if newer ones keep coming, or break off")
    func first() async throws {
        let first = try await begin(0)
        var others: [EventTrace] = []
        for number in 1...5 { others.append(try await begin(number)) }
        end(0)
        #expect(await first.end == "200 v0 .")
        #expect(try await stored == "200 v0 .")
        for number in 1...4 { engine.fail(number, .connectionLost) }
        end(5)
        #expect(await others[4].end == "200 v5 .")
        #expect(try await stored == "200 v5 .")
        #expect(cache.unfinished == (0, 0))
    }

    @Test("K2 STORE: when the first response breaks off, a later one is stored")
    func firstBroken() async throws {
        _ = try await begin(0)
        let other = try await begin(1)
        engine.fail(0, .connectionLost)
        end(1)
        #expect(await other.end == "200 v1 .")
        #expect(try await stored == "200 v1 .")
    }

    @Test(
        "K5 STALE: however many requests get a stale answer, it is validated once at a time", arguments: [false, true])
    func revalidatedOnce(isLarge: Bool) async throws {
        func tell(_ hop: Int, _ body: String) throws {
            let url = try url("http://host/a"), fields = [("Cache-Control", "max-age=1, stale-while-revalidate=60")]
            engine.tell(hop, .head(TransferHead(url: url, status: 200, fields: fields), request: URLRequest(url: url)))
            engine.tell(hop, .body(Data(body.utf8)))
            engine.tell(hop, .finished)
        }
        cached.start(try hop("/a"), EventTrace())
        try tell(0, "a")
        for (number, body) in ["a", "b"].enumerated() {
            clock.advance(by: 10)
            var count = 0
            // The end of the validation before may still be on its way to the cache.
            while count < 10 || engine.paths.count < number + 2 {
                let trace = EventTrace()
                cached.start(try hop("/a", isLarge: isLarge), trace)
                #expect(await trace.end == "200 \(body) .")
                count += 1
            }
            try tell(number + 1, "b")
            #expect(engine.paths.count == number + 2)
        }
    }

    @Test(
        "K12 STREAMS: the end of a large body doesn't keep the engine waiting for a busy folder",
        .timeLimit(.minutes(10)))
    func busyFolder() async throws {
        let scene = try FolderScene(), cache = scene.cache(), cached = engine.cached(in: cache)
        // The folder is scanned first: before that, every look-up waits for it.
        _ = try await scene.get("/first", over: cache)
        await cache.flush()
        let large = EventTrace(), other = EventTrace()
        cached.start(try hop("/a", isLarge: true), large)
        cached.start(try hop("/b"), other)
        await engine.started(2)
        try head(0)
        engine.tell(0, .body(Data(count: 2_000_000)))
        let mayGoOn = DispatchSemaphore(value: 0)
        cache.performInFolder { mayGoOn.wait() }
        // The one thread of an engine.
        Thread.detachNewThread { [engine] in
            engine.tell(0, .finished)
            engine.answer(1, body: "b")
        }
        #expect(await other.end == "200 b .")
        #expect(large.all.last?.isTerminal == false)
        mayGoOn.signal()
        _ = await large.end
        #expect(cache.unfinished == (0, 0))
        // It is stored by then.
        let again = EventTrace()
        cached.start(try hop("/a", headers: ["Cache-Control": "only-if-cached"], isLarge: true), again)
        #expect(await again.end.hasPrefix("200 "))
        // With the two others.
        #expect(cache.statistics.stores == 3)
    }

    // MARK: Memory

    @Test("MEMORY, K10 STORAGE: what waits for a slow disk is limited, and what isn't written leaves no older one")
    func slowDisk() async throws {
        let scene = try FolderScene(FolderScene.letters(500_000)), cache = scene.cache()
        _ = try await scene.get("/99", over: cache)
        await cache.flush()
        let mayGoOn = DispatchSemaphore(value: 0)
        cache.performInFolder { mayGoOn.wait() }
        for index in 0..<99 {
            _ = try await scene.get("/\(index)", over: cache)
            // So it stays in memory: the folder doesn't answer.
            #expect(try await scene.get("/99", over: cache).isHit)
        }
        _ = try await scene.get("/99", over: cache, ["Cache-Control": "no-cache"])
        mayGoOn.signal()
        await cache.flush()
        // Each takes 500 000 bytes and its head.
        let written = (16 << 20) / 501_000
        #expect(cache.statistics.stores == 101)
        #expect(cache.statistics.failures == 100 - written)
        #expect(try scene.files.count == written)
        let next = scene.cache()
        #expect(try await scene.get("/0", over: next).isHit)
        #expect(try await scene.get("/99", over: next) == (FolderScene.letters(500_000, 102), false))
    }

    @Test(
        "MEMORY: what is arriving takes about as much as may be kept, without or with a folder",
        arguments: [false, true])
    func arriving(hasFolder: Bool) async throws {
        let scene = try FolderScene(), size = 500_000
        let cache = hasFolder ? scene.cache(memoryLimit: 4 << 20) : HTTPCache(memoryLimit: 4 << 20)
        let cached = engine.cached(in: cache), fields = [("Cache-Control", "max-age=3600")]
        var traces: [EventTrace] = []
        for number in 0..<100 {
            let url = try url("http://host/\(number)"), trace = EventTrace()
            cached.start(try hop("/\(number)"), trace)
            traces.append(trace)
            await engine.started(number + 1)
            let head = TransferHead(url: url, status: 200, fields: fields)
            engine.tell(number, .head(head, request: URLRequest(url: url)))
            for _ in 0..<10 { engine.tell(number, .body(Data(count: size / 10))) }
        }
        // The first have taken more than their share is by now.
        #expect(cache.reserved.memory > 3 << 20)
        #expect(cache.reserved.memory < 8 << 20)
        for number in 0..<100 { engine.tell(number, .finished) }
        for trace in traces { _ = await trace.end }
        #expect(cache.reserved == (0, 0))
        #expect(cache.unfinished == (0, 0))
        // With a folder, those without room went to their files.
        #expect(hasFolder ? cache.statistics.stores == 100 : (1..<20).contains(cache.statistics.stores))
    }

    @Test("K10 STORAGE: what is arriving in the folder takes about as much as may be kept there")
    func arrivingInFolder() async throws {
        let scene = try FolderScene(), size = 4_000_000, limit = 10_000_000
        let cache = scene.cache(memoryLimit: 1 << 20, diskLimit: Int64(limit)), cached = engine.cached(in: cache)
        var traces: [EventTrace] = []
        for number in 0..<20 {
            let url = try url("http://host/\(number)"), trace = EventTrace()
            cached.start(try hop("/\(number)", isLarge: true), trace)
            traces.append(trace)
            await engine.started(number + 1)
            let head = TransferHead(url: url, status: 200, fields: [("Cache-Control", "max-age=3600")])
            engine.tell(number, .head(head, request: URLRequest(url: url)))
            for _ in 0..<10 { engine.tell(number, .body(Data(count: size / 10))) }
        }
        let sizes = try scene.names.map { try Data(contentsOf: scene.folder.appending(path: $0)).count }
        let total = sizes.reduce(0, +)
        #expect(total > limit / 2 && total < limit * 2)
        #expect(cache.reserved.folder == Int64(total))
        for number in 0..<20 { engine.tell(number, .finished) }
        for trace in traces {
            _ = await trace.end
            let bodies = trace.all.map { if case .body(let chunk) = $0 { chunk.count } else { 0 } }
            #expect(bodies.reduce(0, +) == size)
        }
        #expect(cache.reserved == (0, 0))
        #expect(cache.unfinished == (0, 0))
        #expect(cache.statistics.failures == 0)
        // Those without room there were discarded, and the others stored.
        #expect(try scene.files.count == 2)
    }
}
