import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Chunks that are collected", .timeLimit(.minutes(10)))
struct SpoolingTests {
    /// It sends no chunks as they come.
    private let engine = DirectedEngine()

    private var dispatcher: URLRequestDispatcher { URLRequestDispatcher(engine: engine) }

    /// The data that the engine got as the body of a request.
    private func data(_ hop: Int) -> Data? {
        let body = engine.state.withLock { $0.hops[hop].request.body }
        return if case .data(let data) = body { data } else { nil }
    }

    @Test("An engine that is decorated takes chunks, also in a request of no dispatcher")
    func direct() async throws {
        let engines = [engine.limited(to: 1), engine.breaking(), engine.coalescing(), engine.cached(in: HTTPCache())]
        for (number, decorated) in engines.enumerated() {
            let trace = EventTrace(), chunks = TransferChunks(AskedChunks(2))
            decorated.start(try hop("/", method: "POST", body: .chunks(chunks)), trace)
            await engine.started(number + 1)
            #expect(data(number) == Data("1 2 ".utf8))
            engine.answer(number)
            #expect(await trace.end == "200 .")
        }
    }

    @Test("What is collected of such a request is removed at its end")
    func directFile() async throws {
        let trace = EventTrace()
        let chunks = AsyncStream { continuation in
            continuation.yield(Data(count: 9 << 20))
            continuation.finish()
        }
        engine.limited(to: 1).start(try hop("/", method: "POST", body: .chunks(TransferChunks(chunks))), trace)
        await engine.started(1)
        guard case .file(let file) = engine.state.withLock({ $0.hops[0].request.body }) else {
            Issue.record("The body is in no file.")
            return
        }
        #expect(FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
        engine.answer(0)
        #expect(await trace.end == "200 .")
        #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
    }

    @Test("After a redirect that keeps the method, what was collected is sent again")
    func redirect() async throws {
        let chunks = AskedChunks(2), post = try request("POST"), dispatcher = dispatcher
        let upload = Task { await dispatcher.uploadFuture(from: post, withChunks: chunks).statusOrError }
        await engine.started(1)
        let head = TransferHead(url: try #require(post.url), status: 307, fields: [("Location", "/next")])
        engine.tell(0, .head(head, request: post))
        engine.tell(0, .finished)
        await engine.started(2)
        engine.answer(1)
        #expect(await upload.value == "200")
        #expect(engine.paths == ["/posts", "/next"])
        #expect(data(0) == Data("1 2 ".utf8) && data(1) == data(0))
        #expect(chunks.asked.withLock { $0 } == 3)
    }

    @Test("L2 SLOT, PROMPT: a cancelled upload gives its slot back, although its chunks don't notice")
    func stubbornChunks() async throws {
        let gate = Gate(), dispatcher = dispatcher.limited(to: 1), post = try request("POST")
        defer { gate.open() }
        let chunks = AskedChunks(1) { _ in await gate.pass() }
        let upload = Task { await dispatcher.uploadFuture(from: post, withChunks: chunks).statusOrError }
        await gate.reached()
        let next = Task { await dispatcher.dataFuture(from: post).statusOrError }
        upload.cancel()
        #expect(await upload.value == "cancelled")
        await engine.started(1)
        engine.answer(0)
        #expect(await next.value == "200")
    }

    @Test("L2 SLOT: an upload whose chunks fail gives its slot back")
    func failingChunks() async throws {
        let dispatcher = dispatcher.limited(to: 1), post = try request("POST")
        let chunks = AskedChunks(2) { if $0 == 2 { throw TransferError(.unreadableBody) } }
        let error = await #expect(throws: TransferError.self) {
            try await dispatcher.uploadFuture(from: post, withChunks: chunks).value
        }
        #expect(error?.kind == .unreadableBody && error?.url == post.url && engine.paths.isEmpty)
        let next = Task { await dispatcher.dataFuture(from: post).statusOrError }
        await engine.started(1)
        engine.answer(0)
        #expect(await next.value == "200")
    }

    @Test("BREAKER: while the circuit is open, no chunk is asked for")
    func openCircuit() async throws {
        var breaker = CircuitBreaker(clock: ManualClock())
        breaker.minimumExchanges = 1
        let dispatcher = dispatcher.breaking(breaker), post = try request("POST"), chunks = AskedChunks(1)
        let first = Task { await dispatcher.dataFuture(from: post).statusOrError }
        await engine.started(1)
        engine.fail(0, .timedOut)
        #expect(await first.value == "timedOut")
        await #expect(throws: CircuitOpenError.self) {
            try await dispatcher.uploadFuture(from: post, withChunks: chunks).value
        }
        #expect(chunks.asked.withLock { $0 } == 0)
    }

    @Test("BREAKER: a timeout while chunks are collected doesn't count against the server")
    func timeoutOfChunks() async throws {
        var settings = TransferSettings(), breaker = CircuitBreaker(clock: ManualClock())
        settings.wholeTimeout = 5
        breaker.minimumExchanges = 1
        let engine = DirectedEngine(settings), time = TransferTimeTests.ManualTime(), gate = Gate()
        defer { gate.open() }
        let driver = TransferDriver(engine.breaking(breaker), timer: time.timer), trace = EventTrace()
        let chunks = AskedChunks(1) { _ in await gate.pass() }
        var upload = try hop("/0", method: "POST", body: .chunks(TransferChunks(chunks)))
        upload.spool = BodySpool()
        driver.start(upload, trace)
        await gate.reached()
        time.advance(seconds: 5)
        #expect(await trace.end == "timedOut")
        let next = EventTrace()
        driver.start(try hop("/1"), next)
        await engine.started(1)
        engine.answer(0)
        #expect(await next.end.hasSuffix("."))
        #expect(engine.paths == ["/1"])
    }

    @Test("BREAKER: after that, a timeout counts")
    func timeoutAfterChunks() async throws {
        var breaker = CircuitBreaker(clock: ManualClock())
        breaker.minimumExchanges = 1
        let time = TransferTimeTests.ManualTime(), trace = EventTrace(), next = EventTrace()
        let driver = TransferDriver(engine.breaking(breaker), timer: time.timer)
        var upload = try hop("/0", method: "POST", body: .chunks(TransferChunks(AskedChunks(1))), timeout: 10)
        upload.spool = BodySpool()
        driver.start(upload, trace)
        await engine.started(1)
        time.advance(seconds: 10)
        #expect(await trace.end == "timedOut")
        driver.start(try hop("/1"), next)
        #expect(await next.end == "open")
    }

    @Test("The timeout of a request begins when its chunks are collected")
    func time() async throws {
        let time = TransferTimeTests.ManualTime(), gate = Gate(), trace = EventTrace()
        let driver = TransferDriver(engine, timer: time.timer)
        let chunks = AskedChunks(1) { _ in await gate.pass() }
        var request = try hop("/", method: "POST", body: .chunks(TransferChunks(chunks)), timeout: 10)
        request.spool = BodySpool()
        driver.start(request, trace)
        await gate.reached()
        time.advance(seconds: 20)
        gate.open()
        await engine.started(1)
        time.advance(seconds: 9)
        #expect(trace.all.isEmpty)
        time.advance(seconds: 1)
        #expect(await trace.end == "timedOut")
    }
}
