import Dispatch
import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Puts another number into the URL each time.
private struct Numbering: RequestAdapter, DispatcherPolicy {
    private let count = Counter()

    func number(_ urlRequest: inout URLRequest) {
        urlRequest.url?.append(queryItems: [URLQueryItem(name: "n", value: "\(count.increment())")])
    }

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        number(&request)
        return request
    }

    func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        var request = exchange.urlRequest
        number(&request)
        return exchange.makeFuture(from: request)
    }
}

@Suite("Downloads that are tried again", .timeLimit(.minutes(10)))
struct RetriedDownloadTests {
    private let engine = DirectedEngine()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Sends the head of a file and its first 32 MiB, which take a while to write.
    private func sendBeginning(_ request: URLRequest, of length: Int = 64 << 20) throws {
        let fields = [("ETag", "\"v1\""), ("Content-Length", "\(length)")]
        let head = TransferHead(url: try #require(request.url), status: 200, fields: fields)
        engine.tell(0, .head(head, request: request))
        for _ in 0..<32 { engine.tell(0, .body(Data(count: 1 << 20))) }
    }

    /// A resumable download to the same file each time.
    private func download(_ request: URLRequest) -> ResponseFuture<Response<URL>> {
        let file = folder.file("film.bin")
        return URLRequestDispatcher(engine: engine).downloadFuture(from: request, to: file, isResumable: true)
    }

    private func range(of hop: Int) -> String? {
        engine.state.withLock { $0.hops[hop].request.urlRequest.value(forHTTPHeaderField: "Range") }
    }

    @Test("R9 COMMIT: an attempt after one that was out of time continues where that has ended")
    func afterDeadline() async throws {
        let clock = ManualClock(), get = try request("GET")
        let dispatcher = URLRequestDispatcher(engine: engine).deadline(.seconds(5), clock: clock)
            .retrying(.fixed(SkippingClock()))
        let future = dispatcher.downloadFuture(from: get, to: folder.file("film.bin"), isResumable: true)
        let task = Task { await future.statusOrStage }
        await engine.started(1)
        try sendBeginning(get)
        await clock.sleepers()
        clock.advance(by: .seconds(5))
        await engine.started(2)
        #expect(range(of: 1) == "bytes=\(32 << 20)-")
        task.cancel()
        #expect(await task.value == "cancelled")
    }

    /// Downloads a file whose server cuts the first answer off; each attempt has another number in its URL.
    private func expectContinuation(_ server: LoopbackServer, by dispatcher: some DownloadDispatcher) async throws {
        let count = Counter(), file = folder.file("film.bin"), size = 300_000
        server.handle("GET", "/film") { .ranged(count: size, for: $0, cut: count.increment() == 1 ? 100_000 : nil) }
        _ = try await dispatcher.retrying(.fixed(SkippingClock()))
            .downloadFuture(from: server.request("/film"), to: file, isResumable: true).value
        #expect(server.requests.map { $0.queryItem("n") } == ["1", "2"])
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=100000-"])
        #expect(try Data(contentsOf: file) == LoopbackPattern.data(count: size))
    }

    @Test("R9 COMMIT: an adapter may put something else into the URL of each attempt")
    func adaptedURL() async throws {
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral, requestAdapter: Numbering())
        try await expectContinuation(LoopbackServer.start(), by: dispatcher)
    }

    @Test("R9 COMMIT: so may an authenticator, and a policy around it", arguments: [false, true])
    func authenticatedURL(isAlsoSigned: Bool) async throws {
        let server = try LoopbackServer.start(), numbering = Numbering()
        let session = Authenticator(1, for: server.url("/")) { request, _ in
            numbering.number(&request)
        } refresh: {
            $0
        }
        let authenticated = URLRequestDispatcher(configuration: .ephemeral).authenticated(by: session)
        let dispatcher: any DownloadDispatcher = isAlsoSigned ? authenticated.applying(Numbering()) : authenticated
        try await expectContinuation(server, by: dispatcher)
    }

    @Test("A download after a cancelled one waits for its end, unless it is cancelled itself")
    func afterCancellation() async throws {
        let get = try request("GET"), mayWrite = DispatchSemaphore(value: 0)
        let dispatcher = URLRequestDispatcher(engine: engine).observed(
            by: .closure { event in
                // The first one still writes when all others are there, however long that takes.
                if case .head = event.step { mayWrite.wait() }
            })
        let first = Awaiting(
            now: dispatcher.downloadFuture(from: get, to: folder.file("film.bin"), isResumable: true))
        await engine.started(1)
        try sendBeginning(get)
        first.cancel()
        #expect(await first.ending == "cancelled")
        let cancelled = (0..<200).map { _ in Awaiting(now: download(get)) }, last = Awaiting(now: download(get))
        for next in cancelled { next.cancel() }
        for next in cancelled { #expect(await next.ending == "cancelled") }
        // Some of the cancelled ones may begin their work now, and find that the first has gone.
        mayWrite.signal()
        await engine.started(2)
        #expect(range(of: 1) == "bytes=\(32 << 20)-")
        last.cancel()
        #expect(await last.ending == "cancelled")
    }

    /// Waits at a gate, whatever is cancelled.
    private struct Deaf: ResponseAdapter {
        let gate: Gate

        func adapt(_ urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            await gate.pass()
            return urlResponse
        }
    }

    @Test(
        "R9 COMMIT: a download after one that was cancelled when its server had sent all continues where it has ended",
        arguments: [false, true])
    func afterLastByte(hasAdapter: Bool) async throws {
        let get = try request("GET"), mayWrite = DispatchSemaphore(value: 0), hasHead = Gate(), gate = Gate()
        defer { gate.open() }
        let dispatcher = URLRequestDispatcher(engine: engine, responseAdapter: hasAdapter ? Deaf(gate: gate) : nil)
            .observed(
                by: .closure { event in
                    guard case .head = event.step else { return }
                    hasHead.open()
                    mayWrite.wait()
                })
        let first = Awaiting(
            now: dispatcher.downloadFuture(from: get, to: folder.file("film.bin"), isResumable: true))
        await engine.started(1)
        try sendBeginning(get, of: 32 << 20)
        engine.tell(0, .finished)
        await hasHead.opened()
        first.cancel()
        #expect(await first.ending == "cancelled")
        let last = Awaiting(now: download(get))
        // The first one still writes, and then has nothing left to do but to move its file.
        mayWrite.signal()
        await engine.started(2)
        #expect(range(of: 1) == "bytes=\((32 << 20) - 1)-")
        last.cancel()
        #expect(await last.ending == "cancelled")
    }

    @Test("R9 COMMIT: a download after one whose join has failed continues where that has ended")
    func afterFailedJoin() async throws {
        let get = try request("GET"), promise = Box<ResponseFuture<Int>>()
        let gate = Gate(), mayCancel = DispatchSemaphore(value: 0)
        let failing = ResponseFuture<Int> { future in promise.value = future }
        // The last part is cancelled first: the download has not been cancelled when the next one is there.
        let last = ResponseFuture<Int> { () async throws in
            await withTaskCancellationHandler {
                await gate.pass()
                return 1
            } onCancel: {
                mayCancel.wait()
            }
        }
        let parts = [failing, download(get).then { _ in 0 }, last]
        let first = Awaiting(now: ResponseFuture<[Int]>(childFutures: parts))
        await engine.started(1)
        await gate.reached()
        try sendBeginning(get)
        DispatchQueue.global().async { promise.value?.fail(with: Mishap()) }
        #expect(await first.ending == "error \(Mishap())")
        let second = Awaiting(now: download(get))
        mayCancel.signal()
        await engine.started(2)
        #expect(range(of: 1) == "bytes=\(32 << 20)-")
        second.cancel()
        #expect(await second.ending == "cancelled")
        gate.open()
    }

    @Test("A download beside one that goes on doesn't wait for it, and begins at zero")
    func beside() async throws {
        let get = try request("GET"), first = Awaiting(now: download(get))
        await engine.started(1)
        try sendBeginning(get)
        let second = Awaiting(now: download(get))
        await engine.started(2)
        #expect(range(of: 1) == nil)
        for awaiting in [first, second] {
            awaiting.cancel()
            #expect(await awaiting.ending == "cancelled")
        }
    }

    @Test("UPDATES: instead of the answer to a stale leftover the whole file is reported", arguments: [206, 416])
    func staleLeftover(status: Int) async throws {
        let observed = ObservedEvents(), get = try request("GET")
        let dispatcher = URLRequestDispatcher(engine: engine).observed(by: observed)
        let future = dispatcher.downloadFuture(from: get, to: folder.file("film.bin"), isResumable: true)
        let first = Awaiting(now: future)
        await engine.started(1)
        try sendBeginning(get)
        engine.fail(0, .connectionLost)
        _ = await first.ending
        await observed.ended()
        let again = dispatcher.downloadFuture(from: get, to: folder.file("film.bin"), isResumable: true)
        let second = Task { try await again.valueAndUpdates }
        await engine.started(2)
        #expect(range(of: 1) != nil)
        engine.head(1, status: status)
        await engine.started(3)
        #expect(range(of: 2) == nil)
        engine.answer(2, body: "text")
        let (response, updates) = try await second.value
        #expect(response.head.status == 200)
        await observed.ended(2)
        #expect(updates.count { $0.stage == .started } == 1 && updates.count { $0.stage == .responded } == 1)
        #expect(observed.wordsByExchange.last == ["started", "admitted", "head 200", "finished 200"])
    }
}
