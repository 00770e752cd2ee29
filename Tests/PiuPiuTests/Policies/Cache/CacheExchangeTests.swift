import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: exchanges", .timeLimit(.minutes(10)))
struct CacheExchangeTests: TimedCacheTests {
    let clock = WallClock()
    let cache: HTTPCache

    init() { cache = HTTPCache(clock) }

    @Test("K6 VALIDATE: one validation for a thousand callers")
    func oneValidation() async throws {
        let gate = Gate()
        let origin = CacheOrigin { _, number in
            number == 1
                ? .init(fields: [("Cache-Control", "max-age=1"), ("ETag", "\"a\"")], body: "a")
                : .init(status: 304, fields: [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")])
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        _ = try await dispatcher.dataFuture(from: request).value
        clock.advance(by: 10)
        let tasks = (0..<1000).map { _ in
            Task {
                await gate.pass()
                return try await dispatcher.dataFuture(from: request).value
            }
        }
        gate.open()
        for task in tasks { #expect(try await task.value.data == Data("a".utf8)) }
        #expect(origin.count == 2)
    }

    @Test("K5 STALE: stale-while-revalidate answers at once, and validates once for the next request")
    func revalidatedBehind() async throws {
        let origin = CacheOrigin { request, number in
            number == 1
                ? .init(
                    fields: [("Cache-Control", "max-age=1, stale-while-revalidate=60"), ("ETag", "\"a\"")], body: "a")
                : .init(fields: [("Cache-Control", "max-age=60")], body: "b")
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        _ = try await dispatcher.dataFuture(from: request).value
        clock.advance(by: 10)
        let stale = try await dispatcher.dataFuture(from: request).value
        #expect(stale.data == Data("a".utf8))
        #expect(stale.cacheStatus?.isHit == true)
        #expect(stale.cacheStatus?.ttl == -9)
        await origin.received(2)
        #expect(origin.requests.withLock { $0.last?.value(forHTTPHeaderField: "If-None-Match") } == "\"a\"")
        var answer = try await dispatcher.dataFuture(from: request).value
        // The answer of the server may still be on its way.
        while answer.data == Data("a".utf8) { answer = try await dispatcher.dataFuture(from: request).value }
        #expect(answer.data == Data("b".utf8))
        #expect(origin.count == 2)
    }

    @Test("K5 STALE: the validation behind a stale answer doesn't have the deadline of its request")
    func revalidatedWithoutDeadline() async throws {
        let engine = DirectedEngine(), get = try get()
        let dispatcher = URLRequestDispatcher(engine: engine).cached(in: cache)
        let first = dispatcher.dataFuture(from: get)
        first.start()
        await engine.started(1)
        let fields = [(name: "Cache-Control", value: "max-age=1, stale-while-revalidate=60")]
        engine.tell(0, .head(TransferHead(url: try url("http://host/a"), status: 200, fields: fields), request: get))
        engine.tell(0, .body(Data("a".utf8)))
        engine.tell(0, .finished)
        _ = try await first.value
        clock.advance(by: 10)
        let deadline = Deadline(after: .milliseconds(1), clock: ManualClock())
        let stale = try await ExchangeLocals.$current.withValue(PolicyContext(deadline: deadline).local) {
            try await dispatcher.dataFuture(from: get).value
        }
        #expect(stale.cacheStatus?.isHit == true)
        await engine.started(2)
        // A later exchange with a longer time limit is over.
        let trace = EventTrace()
        TransferDriver(DirectedEngine()).start(try hop("/b", timeout: 0.01), trace)
        #expect(await trace.end == "timedOut")
        #expect(engine.calls(1).isEmpty)
    }

    @Test("K5 STALE: beyond its window there is no stale answer")
    func window() async throws {
        let origin = CacheOrigin { _, _ in
            .init(fields: [("Cache-Control", "max-age=1, stale-while-revalidate=5")], body: "a")
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        _ = try await dispatcher.dataFuture(from: request).value
        clock.advance(by: 7)
        #expect(try await dispatcher.dataFuture(from: request).value.cacheStatus?.isHit == false)
        #expect(origin.count == 2)
    }

    @Test("K6 VALIDATE: after a 304 for another response, the request is sent again without conditions")
    func otherTag() async throws {
        let origin = CacheOrigin { request, number in
            if request.value(forHTTPHeaderField: "If-None-Match") != nil {
                return .init(status: 304, fields: [("ETag", "\"b\"")])
            }
            return .init(fields: [("Cache-Control", "max-age=1"), ("ETag", "\"a\"")], body: "body \(number)")
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        _ = try await dispatcher.dataFuture(from: request).value
        clock.advance(by: 10)
        #expect(try await dispatcher.dataFuture(from: request).value.data == Data("body 3".utf8))
    }

    @Test("K2 STORE: a body that breaks off is never kept")
    func cutOff() async throws {
        let origin = CacheOrigin { _, number in
            .init(
                fields: [("Cache-Control", "max-age=60")], body: "body", error: number == 1 ? .truncated : nil,
                isCutOff: number == 1)
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        await #expect(throws: TransferError.self) { _ = try await dispatcher.dataFuture(from: request).value }
        #expect(cache.statistics.stores == 0)
        #expect(try await dispatcher.dataFuture(from: request).value.cacheStatus?.isHit == false)
        #expect(try await dispatcher.dataFuture(from: request).value.cacheStatus?.isHit == true)
    }

    @Test(
        "K2 STORE: a body that is shorter or longer than announced is never kept", arguments: ["9", "3", "a", "4, 5"])
    func otherLength(announced: String) async throws {
        let origin = CacheOrigin { _, number in
            let length = number == 1 ? announced : "4"
            return .init(fields: [("Cache-Control", "max-age=60"), ("Content-Length", length)], body: "body")
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        _ = try? await dispatcher.dataFuture(from: request).value
        #expect(cache.statistics.stores == 0)
        #expect(try await dispatcher.dataFuture(from: request).value.data == Data("body".utf8))
        #expect(try await dispatcher.dataFuture(from: request).value.cacheStatus?.isHit == true)
    }

    @Test("K5 STALE, K12 STREAMS: once the server's answer has begun, no stored response replaces it")
    func brokenOff() async throws {
        let origin = CacheOrigin { _, number in
            .init(
                fields: [("Cache-Control", "max-age=1, stale-if-error=60")], body: "body \(number)",
                error: number == 1 ? nil : .connectionLost, isCutOff: number > 1)
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        _ = try await dispatcher.dataFuture(from: request).value
        clock.advance(by: 10)
        await #expect(throws: TransferError.self) { _ = try await dispatcher.dataFuture(from: request).value }
        let stream = try await dispatcher.streamFuture(from: request).value.data
        var received = Data()
        await #expect(throws: TransferError.self) { for try await chunk in stream { received += chunk } }
        #expect(received == Data("body 3".utf8))
    }

    @Test("K6 VALIDATE: a 304 is complete with its head, even if the connection breaks")
    func brokenAfter304() async throws {
        let origin = CacheOrigin { _, number in
            .init(
                status: number == 1 ? 200 : 304, fields: [("Cache-Control", "max-age=1, no-cache"), ("ETag", "\"a\"")],
                body: number == 1 ? "a" : "", error: number == 1 ? nil : .truncated, isCutOff: number > 1)
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        for _ in 0..<2 { #expect(try await dispatcher.dataFuture(from: request).value.data == Data("a".utf8)) }
        #expect(origin.count == 2)
    }

    @Test("K11 STATUS: the status, the update step and the Markdown say where a response came from")
    func status() async throws {
        let origin = CacheOrigin { _, _ in
            .init(fields: [("Cache-Control", "max-age=60"), ("ETag", "\"a\"")], body: "a")
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        let first = try await dispatcher.dataFuture(from: request).value
        #expect(first.cacheStatus?.description == "PiuPiu; fwd=uri-miss; fwd-status=200; stored")
        clock.advance(by: 10)
        let stages = Watched<[TransferUpdate.Stage]>([])
        let second = try await dispatcher.dataFuture(from: request).onUpdate { update in
            stages.withLock { $0.append(update.stage) }
        }.value
        #expect(second.cacheStatus?.description == "PiuPiu; hit; ttl=50")
        #expect(second.makeResponseMarkdown().contains("Cache: PiuPiu; hit; ttl=50"))
        await stages.wait { $0.count >= 4 }
        #expect(stages.withLock { $0 } == [.started, .cacheHit, .responded, .received])
        #expect(second.head.value(for: "Age") == "10")
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.misses == 1)
    }

    @Test(
        "K10 STORAGE: one credential never gets another's responses, unless a partition says so",
        arguments: ["Authorization", "X-API-Key", "api-key", "X-Auth-Token", "X-Access-Token"])
    func partitions(name: String) async throws {
        let origin = CacheOrigin { request, _ in
            .init(
                fields: [("Cache-Control", "private, max-age=60")],
                body: request.value(forHTTPHeaderField: name) ?? "nobody")
        }
        let apart = dispatcher(over: origin)
        for user in ["A", "B", nil, "A", "B", nil] {
            let request = try get("/a", user.map { [name: $0] } ?? [:])
            let response = try await apart.dataFuture(from: request).value
            #expect(response.data == Data((user ?? "nobody").utf8))
        }
        #expect(origin.count == 3)
        let named = URLRequestDispatcher(engine: origin).cached(in: cache, partition: .named("all"))
        for user in ["A", "B"] {
            let request = try get("/a", [name: user])
            #expect(try await named.dataFuture(from: request).value.data == Data("A".utf8))
        }
        #expect(origin.count == 4)
    }

    @Test("K10 STORAGE: a sign-out discards stored responses and those in flight")
    func signOut() async throws {
        let gate = Gate()
        let origin = CacheOrigin(gate: gate) { _, number in
            .init(fields: [("Cache-Control", "max-age=60")], body: "body \(number)")
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        let first = Task { try await dispatcher.dataFuture(from: request).value }
        await origin.received(1)
        cache.removeAll()
        gate.open()
        _ = try await first.value
        // Its head came after the sign-out, but its request before: another user may be signed in by then.
        #expect(cache.statistics.memoryCount == 0)
        #expect(try await dispatcher.dataFuture(from: request).value.data == Data("body 2".utf8))
        cache.remove(try url("http://host/a#b"))
        #expect(try await dispatcher.dataFuture(from: request).value.data == Data("body 3".utf8))
        #expect(cache.statistics.memoryCount == 1)
    }

    @Test("C1, K10: a burst of a thousand misses is one exchange with coalescing")
    func burst() async throws {
        let gate = Gate()
        let origin = CacheOrigin(gate: gate) { _, _ in .init(fields: [("Cache-Control", "max-age=60")], body: "a") }
        let dispatcher = dispatcher(over: origin).coalescing(), request = try get()
        let tasks = (0..<1000).map { _ in Task { try await dispatcher.dataFuture(from: request).value.data } }
        await origin.received(1)
        gate.open()
        for task in tasks { #expect(try await task.value == Data("a".utf8)) }
        #expect(origin.count == 1)
    }

    @Test("R2, K5: a POST goes through with its body, and nothing of it is kept")
    func post() async throws {
        let origin = CacheOrigin { request, _ in
            .init(fields: [("Cache-Control", "max-age=60")], body: request.httpMethod ?? "")
        }
        let dispatcher = dispatcher(over: origin)
        var request = try get()
        request.httpMethod = "POST"
        for _ in 0..<2 {
            let response = try await dispatcher.uploadFuture(from: request, with: Data("a".utf8)).value
            #expect(response.data == Data("POST".utf8))
        }
        #expect(origin.count == 2)
        #expect(cache.statistics.stores == 0)
    }

    @Test("Stored redirects are followed", arguments: [301, 308])
    func redirects(status: Int) async throws {
        let origin = CacheOrigin { request, _ in
            request.url?.path() == "/a"
                ? .init(status: status, fields: [("Cache-Control", "max-age=60"), ("Location", "/b")])
                : .init(fields: [("Cache-Control", "max-age=60")], body: "b")
        }
        let dispatcher = dispatcher(over: origin), request = try get()
        for _ in 0..<2 {
            let response = try await dispatcher.dataFuture(from: request).value
            #expect(response.data == Data("b".utf8))
            #expect(response.redirects.count == 1)
        }
        #expect(origin.count == 2)
    }

    @Test("A decoded response answers no request that accepts no coding")
    func coded() async throws {
        let origin = CacheOrigin { request, number in
            .init(
                fields: [("Cache-Control", "max-age=60")] + (number == 1 ? [("Content-Encoding", "gzip")] : []),
                body: "body \(number)")
        }
        let dispatcher = dispatcher(over: origin)
        _ = try await dispatcher.dataFuture(from: try get()).value
        let plain = try get("/a", ["Accept-Encoding": "identity"])
        #expect(try await dispatcher.dataFuture(from: plain).value.data == Data("body 2".utf8))
    }

    @Test("K6 VALIDATE: a coded response isn't validated for a request that accepts no coding, whatever its tag")
    func codedWithTag() async throws {
        let origin = CacheOrigin { request, _ in
            let fields = [("Cache-Control", "max-age=60"), ("ETag", "W/\"a\""), ("Vary", "Accept-Encoding")]
            if request.value(forHTTPHeaderField: "If-None-Match") != nil { return .init(status: 304, fields: fields) }
            let isPlain = request.value(forHTTPHeaderField: "Accept-Encoding") == "identity"
            return .init(fields: fields + (isPlain ? [] : [("Content-Encoding", "gzip")]), body: "a")
        }
        let dispatcher = dispatcher(over: origin), folder = try TemporaryFolder()
        _ = try await dispatcher.dataFuture(from: try get()).value
        let response = try await dispatcher.dataFuture(from: try get("/a", ["Accept-Encoding": "identity"])).value
        #expect(response.head.value(for: "Content-Encoding") == nil && response.data == Data("a".utf8))
        #expect(response.cacheStatus?.forward == .varyMiss && response.cacheStatus?.forwardStatus == 200)
        let file = try await dispatcher.downloadFuture(from: try get(), to: folder.file("a")).value.data
        #expect(try Data(contentsOf: file) == Data("a".utf8))
    }

    @Test("VALUE: after an invalidation nothing answers, not even a stored response")
    func invalidated() async throws {
        let origin = CacheOrigin { _, _ in .init(fields: [("Cache-Control", "max-age=60")], body: "a") }
        let dispatcher = dispatcher(over: origin)
        _ = try await dispatcher.dataFuture(from: try get()).value
        dispatcher.invalidateAndCancel()
        let error = await #expect(throws: TransferError.self) {
            _ = try await dispatcher.dataFuture(from: try get()).value
        }
        #expect(error?.kind == .sessionInvalidated)
    }

    private enum Traits {
        @TaskLocal static var name = "nobody"
    }

    @Test("INHERIT: a request that no stored response can answer has its caller's values", arguments: [false, true])
    func taskLocals(hasFolder: Bool) async throws {
        let folder = try TemporaryFolder(), names = Log<String>()
        let engine = ClosureEngine { _, _ in
            names.append(Traits.name)
            return AskedChunks(0)
        }
        let cache = hasFolder ? HTTPCache(folder: folder.url) : HTTPCache()
        let dispatcher = URLRequestDispatcher(engine: engine).cached(in: cache)
        let request = URLRequest(url: ScriptedExchange.url)
        try await Traits.$name.withValue("caller") { _ = try await dispatcher.dataFuture(from: request).value }
        #expect(names.all == ["caller"])
    }

    /// Records whose values and priority a server's exchanges start with.
    private struct StartLog: TransferEngine {
        let base: any TransferEngine
        let starts = Log<String>()

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            starts.append("\(Traits.name), \(Task.basePriority == .high ? "high" : "other")")
            return base.start(request, onEvent: onEvent)
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    enum SecondHop: CaseIterable { case matchesNothing, unreadable, unreadableAfterValidation }

    @Test(
        "INHERIT: the full request after a look at stored responses has its caller's values",
        arguments: SecondHop.allCases)
    func taskLocalsOfSecondHop(reason: SecondHop) async throws {
        let scene = try FolderScene { request, number in
            let isKnown = request.value(forHTTPHeaderField: "If-None-Match") != nil
            let tag = isKnown && reason == .matchesNothing ? "\"other\"" : "\"a\""
            return .init(
                status: isKnown ? 304 : 200, fields: [("Cache-Control", "max-age=60"), ("ETag", tag)],
                body: isKnown ? "" : FolderScene.letters(2_000_000, number))
        }
        let engine = StartLog(base: scene.origin), cache = scene.cache()
        let dispatcher = URLRequestDispatcher(engine: engine).cached(in: cache), request = try get()
        _ = try await dispatcher.dataFuture(from: request).value
        if reason != .unreadable { scene.clock.advance(by: 100) }
        if reason != .matchesNothing { try FileManager.default.removeItem(at: try #require(try scene.files.first)) }
        let response = try await Traits.$name.withValue("caller") {
            try await Task(priority: .high) { try await dispatcher.dataFuture(from: request).value }.value
        }
        let number = reason == .unreadable ? 2 : 3
        #expect(response.data == Data(FolderScene.letters(2_000_000, number).utf8))
        #expect(engine.starts.all.count == number)
        #expect(engine.starts.all.last == "caller, high")
    }
}
