import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: targets", .timeLimit(.minutes(10)))
struct CacheTargetTests: TimedCacheTests {
    let clock = WallClock()
    let cache: HTTPCache

    init() { cache = HTTPCache(clock) }

    private static let fresh = [(name: "Cache-Control", value: "max-age=3600")]

    @Test("K1 KEY: a host of the caller's own is another target of the same URL")
    func host() async throws {
        let origin = CacheOrigin { request, _ in
            .init(fields: Self.fresh, body: request.value(forHTTPHeaderField: "Host") ?? "none")
        }
        let dispatcher = dispatcher(over: origin)
        for _ in 1...2 {
            for host in ["a.example", "b.example", "host"] {
                let response = try await dispatcher.dataFuture(from: get("/a", ["Host": host])).value
                #expect(response.data == Data(host.utf8))
            }
        }
        #expect(try await dispatcher.dataFuture(from: get()).value.data == Data("host".utf8), "that of the URL itself")
        #expect(origin.count == 3)
    }

    @Test("K1 KEY, K8 INVALIDATE: a user in the URL separates responses, but not what makes them invalid")
    func user() async throws {
        let origin = CacheOrigin { request, number in
            request.httpMethod == "PUT"
                ? .init(status: 201, fields: [("Location", "http://host/b")])
                : .init(fields: Self.fresh, body: "\(number)")
        }
        let dispatcher = dispatcher(over: origin)
        func body(_ text: String, method: String = "GET") async throws -> String {
            var request = URLRequest(url: try url(text))
            request.httpMethod = method
            return String(decoding: try await dispatcher.dataFuture(from: request).value.data ?? Data(), as: UTF8.self)
        }
        #expect(try await body("http://u:p@host/b") == "1")
        #expect(try await body("http://u:q@host/b") == "2")
        #expect(try await body("http://host/b") == "3")
        #expect(try await body("http://u:p@host/b") == "1")
        _ = try await body("http://u:p@host/a", method: "PUT")
        #expect(try await body("http://u:p@host/b") == "5")
        cache.remove(try url("http://host/b"))
        #expect(try await body("http://u:p@host/b") == "6")
    }

    @Test("K3 LIFETIME: the wait for a turn below the cache doesn't make a response older")
    func waitInLine() async throws {
        let gate = Gate(), clock = clock
        let origin = CacheOrigin(gate: gate) { _, _ in .init(fields: [("Cache-Control", "max-age=30")]) }
        let dispatcher = URLRequestDispatcher(engine: origin).limited(to: 1).cached(in: cache)
        let first = dispatcher.dataFuture(from: try get("/first"))
        let second = dispatcher.dataFuture(from: try get("/second"))
        first.send()
        await origin.received(1)
        let updates = second.updates()
        second.send()
        for await update in updates where update.stage == .started { break }
        clock.advance(by: 60)
        gate.open()
        _ = try await first.value
        _ = try await second.value
        let again = try await dispatcher.dataFuture(from: get("/second")).value
        #expect(again.cacheStatus?.isHit == true && origin.count == 2)
    }

    @Test("K5 STALE: a validation behind a stale answer ends with a body that is too large to be stored")
    func largeRefresh() async throws {
        let engine = DirectedEngine()
        var get = try get()
        get.timeoutInterval = 3_600
        let dispatcher = URLRequestDispatcher(engine: engine).cached(in: cache)
        let first = dispatcher.dataFuture(from: get)
        first.start()
        await engine.started(1)
        let fields = [(name: "Cache-Control", value: "max-age=1, stale-while-revalidate=60")]
        let answer = TransferHead(url: try url("http://host/a"), status: 200, fields: fields)
        let head = TransferEvent.head(answer, request: get)
        engine.tell(0, head)
        engine.tell(0, .body(Data("a".utf8)))
        engine.tell(0, .finished)
        _ = try await first.value
        clock.advance(by: 10)
        #expect(try await dispatcher.dataFuture(from: get).value.data == Data("a".utf8))
        await engine.started(2)
        engine.tell(1, head)
        for _ in 0..<20 { engine.tell(1, .body(Data(count: 1 << 20))) }
        await engine.state.wait { $0.hops[1].calls.contains("cancel") }
        #expect(try await dispatcher.dataFuture(from: get).value.data == Data("a".utf8))
    }

    @Test("K5 STALE: a validation behind a stale answer ends before its engine does")
    func refreshBeforeEnd() async throws {
        let engine = DirectedEngine(), cached = engine.cached(in: cache), traces = [EventTrace(), EventTrace()]
        let fields = [(name: "Cache-Control", value: "max-age=1, stale-while-revalidate=60")]
        let request = try hop("/a")
        let answer = TransferHead(url: try url("http://host/a"), status: 200, fields: fields)
        let head = TransferEvent.head(answer, request: request.urlRequest)
        cached.start(request, traces[0])
        await engine.started(1)
        for event in [head, .body(Data("a".utf8)), .finished] { engine.tell(0, event) }
        #expect(await traces[0].end == "200 a .")
        clock.advance(by: 10)
        cached.start(request, traces[1])
        #expect(await traces[1].end == "200 a .")
        await engine.started(2)
        cached.finishTasksAndInvalidate()
        #expect(engine.state.withLock { $0.ends } == [])
        for event in [head, .finished] { engine.tell(1, event) }
        await engine.state.wait { $0.ends == ["finish"] }
    }

    @Test("K5 STALE: a dispatcher that has finished can still cancel a validation behind a stale answer")
    func cancelledRefresh() async throws {
        let engine = DirectedEngine(), network = URLRequestDispatcher(engine: engine), get = try get()
        let cached = network.cached(in: cache), first = cached.dataFuture(from: get)
        first.start()
        await engine.started(1)
        let fields = [(name: "Cache-Control", value: "max-age=1, stale-while-revalidate=60")]
        let answer = TransferHead(url: try url("http://host/a"), status: 200, fields: fields)
        let head = TransferEvent.head(answer, request: get)
        for event in [head, .body(Data("a".utf8)), .finished] { engine.tell(0, event) }
        _ = try await first.value
        clock.advance(by: 10)
        _ = try await cached.dataFuture(from: get).value
        await engine.started(2)
        network.finishTasksAndInvalidate()
        #expect(engine.running == [1] && engine.state.withLock { $0.ends } == [])
        network.invalidateAndCancel()
        #expect(engine.state.withLock { $0.ends } == ["cancel"])
        await engine.called(1, 1)
    }

    @Test(
        "K5 STALE: a shutdown waits for a validation behind a stale answer that was sent, and drops one that waits",
        arguments: [false, true])
    func shutdown(isOfNetwork: Bool) async throws {
        let engine = DirectedEngine(), network = URLRequestDispatcher(engine: engine), log = EventLog()
        let cached = network.limited(to: 1).cached(in: cache), ending = isOfNetwork ? network : cached
        let fields = [(name: "Cache-Control", value: "max-age=1, stale-while-revalidate=60")]
        let requests = [try get("/a"), try get("/b")]
        for (hop, request) in requests.enumerated() {
            let loaded = cached.dataFuture(from: request)
            loaded.start()
            await engine.started(hop + 1)
            let head = TransferHead(url: try url("http://host/"), status: 200, fields: fields)
            engine.tell(hop, .head(head, request: request))
            engine.tell(hop, .finished)
            _ = try await loaded.value
        }
        clock.advance(by: 10)
        for request in requests {
            #expect(try await cached.dataFuture(from: request).value.cacheStatus?.isHit == true)
        }
        await engine.started(3)
        ending.finishTasksAndInvalidate()
        runToSuspension {
            await ending.shutdown()
            log("returned")
        }
        log("ends")
        engine.answer(2)
        #expect(await log.all(2) == ["ends", "returned"])
        #expect(engine.paths == ["/a", "/b", "/a"] && engine.running == [])
        await engine.state.wait { $0.ends == ["finish"] }
    }
}
