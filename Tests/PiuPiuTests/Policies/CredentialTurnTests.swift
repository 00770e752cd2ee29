import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Sign-out before the turn of a request", .timeLimit(.minutes(10)))
struct CredentialTurnTests {
    /// Where requests wait, one at a time being sent.
    enum Queue: CaseIterable, Sendable {
        case ofConfiguration, limited, belowCoalescing

        var settings: TransferSettings {
            var settings = TransferSettings()
            if self != .limited { settings.exchangesPerOrigin = 1 }
            return settings
        }

        func over(_ network: URLRequestDispatcher) -> URLRequestDispatcher {
            switch self {
            case .ofConfiguration: network
            case .limited: network.limited(to: 1)
            case .belowCoalescing: network.coalescing()
            }
        }
    }

    /// Has an event for each request that has got its credential.
    private let applied = EventLog()

    private func session(_ key: Int? = 1) throws -> Authenticator<Int> {
        Authenticator(key, for: try url("http://host"), clock: ManualClock()) { [applied] request, key in
            request.setValue("\(key)", forHTTPHeaderField: "X-Key")
            applied("\(key)")
        } refresh: { old in
            old + 1
        }
    }

    /// Answers an exchange that must not begin, so that a test fails instead of waiting for ever.
    private func answer(_ hop: Int, of engine: DirectedEngine) -> Task<Void, Never> {
        Task {
            await engine.started(hop + 1)
            if !Task.isCancelled { engine.answer(hop) }
        }
    }

    @Test(
        "A8 SESSION: a request that waits for its turn isn't sent after a sign-out, and one in flight ends as usual",
        arguments: Queue.allCases, [true, false])
    func turn(queue: Queue, signsIn: Bool) async throws {
        let engine = DirectedEngine(queue.settings), session = try session()
        let dispatcher = queue.over(URLRequestDispatcher(engine: engine)).authenticated(by: session)
        let first = dispatcher.dataFuture(from: try request("GET", "http://host/0"))
        let second = dispatcher.dataFuture(from: try request("GET", "http://host/1"))
        let third = dispatcher.dataFuture(from: try request("GET", "http://host/2"))
        first.send()
        await engine.started(1)
        second.send()
        await applied.wait(for: 2)
        session.removeCredential()
        if signsIn { session.setCredential(2) }
        engine.answer(0)
        let answering = answer(1, of: engine)
        #expect(await second.statusOrName == "credentialRemoved")
        answering.cancel()
        #expect(await first.statusOrName == "200")
        third.send()
        await engine.started(2)
        engine.answer(1)
        #expect(await third.statusOrName == "200", "another request")
        let sent = engine.state.withLock { $0.hops.map { $0.request.urlRequest.value(forHTTPHeaderField: "X-Key") } }
        #expect(engine.paths == ["/0", "/2"] && sent == ["1", signsIn ? "2" : nil])
    }

    /// Logs each request that waits for its turn next.
    private struct LoggingAdapter: RequestAdapter {
        let log: EventLog

        func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
            log("adapted")
            return urlRequest
        }
    }

    @Test(
        "A8 SESSION: a request without a credential that waits for its turn is sent after others sign in and out",
        arguments: Queue.allCases)
    func anonymous(queue: Queue) async throws {
        let engine = DirectedEngine(queue.settings), session = try session(nil), adapted = EventLog()
        let network = URLRequestDispatcher(engine: engine, requestAdapter: LoggingAdapter(log: adapted))
        let dispatcher = queue.over(network).authenticated(by: session)
        let first = dispatcher.dataFuture(from: try request("GET", "http://host/0"))
        let second = dispatcher.dataFuture(from: try request("GET", "http://host/1"))
        first.send()
        await engine.started(1)
        second.send()
        await adapted.wait(for: 2)
        session.setCredential(1)
        session.removeCredential()
        engine.answer(0)
        let answering = answer(1, of: engine)
        #expect(await second.statusOrName == "200")
        answering.cancel()
        #expect(await first.statusOrName == "200")
        #expect(engine.paths == ["/0", "/1"])
    }

    @Test("A8 SESSION: callers that share a request that waits all fail after a sign-out")
    func shared() async throws {
        let engine = DirectedEngine(Queue.belowCoalescing.settings), session = try session()
        let network = URLRequestDispatcher(engine: engine)
        let dispatcher = network.coalescing().authenticated(by: session), get = try request("GET", "http://host/1")
        let open = network.coalescing().dataFuture(from: try request("GET", "http://host/0"))
        open.send()
        await engine.started(1)
        let waiting = (0..<3).map { _ in dispatcher.dataFuture(from: get) }
        for future in waiting { future.send() }
        await applied.wait(for: 3)
        session.removeCredential()
        engine.answer(0)
        let answering = answer(1, of: engine)
        for future in waiting { #expect(await future.statusOrName == "credentialRemoved") }
        answering.cancel()
        #expect(engine.paths == ["/0"])
        #expect(await open.statusOrName == "200")
    }

    @Test("A8 SESSION: nor is a stream sent that waits for another one to end")
    func stream() async throws {
        let engine = DirectedEngine(Queue.ofConfiguration.settings), session = try session()
        let dispatcher = URLRequestDispatcher(engine: engine).authenticated(by: session)
        let first = dispatcher.streamFuture(from: try request("GET", "http://host/0"))
        let second = dispatcher.streamFuture(from: try request("GET", "http://host/1"))
        first.send()
        await engine.started(1)
        second.send()
        await applied.wait(for: 2)
        session.removeCredential()
        engine.fail(0, .connectionLost)
        let answering = answer(1, of: engine)
        #expect(await second.statusOrName == "credentialRemoved")
        answering.cancel()
        #expect(await first.statusOrError == "connectionLost")
        #expect(engine.paths == ["/0"])
    }

    @Test("A8 SESSION: a redirect isn't followed after a sign-out", arguments: [true, false])
    func redirect(signsOut: Bool) async throws {
        let engine = DirectedEngine(), session = try session(), get = try request("GET", "http://host/0")
        let future = URLRequestDispatcher(engine: engine).authenticated(by: session).dataFuture(from: get)
        future.send()
        await engine.started(1)
        if signsOut { session.removeCredential() }
        let head = TransferHead(url: try url("http://host/0"), status: 302, fields: [(name: "Location", value: "/1")])
        engine.tell(0, .head(head, request: get))
        engine.tell(0, .finished)
        let answering = answer(1, of: engine)
        #expect(await future.statusOrName == (signsOut ? "credentialRemoved" : "200"))
        answering.cancel()
        #expect(engine.paths == (signsOut ? ["/0"] : ["/0", "/1"]))
    }

    @Test(
        "A8 SESSION: a request that waits for the disk of a cache isn't sent after a sign-out",
        .timeLimit(.minutes(10)), arguments: [false, true])
    func disk(isShared: Bool) async throws {
        let scene = try FolderScene(), cache = scene.cache(), engine = DirectedEngine(), trace = EventTrace()
        let cached = engine.cached(in: cache), isRemoved = Locked(false), mayGoOn = DispatchSemaphore(value: 0)
        let driver = TransferDriver(isShared ? cached.coalescing() : cached)
        let error = AuthenticationError.credentialRemoved(origin: "http://host:80")
        var context = PolicyContext()
        context.sentCredential = SentCredential(
            in: try hop("/a").urlRequest, sentAs: try hop("/a").urlRequest, inside: context
        ) {
            isRemoved.withLock({ $0 }) ? error : nil
        }
        // Before the folder was scanned, every look-up waits for it.
        cache.performInFolder { mayGoOn.wait() }
        _ = try ExchangeLocals.$current.withValue(context.local) { driver.start(try hop("/a"), trace) }
        isRemoved.withLock { $0 = true }
        mayGoOn.signal()
        let answering = answer(0, of: engine)
        _ = await trace.end
        answering.cancel()
        let failure = trace.error as? AuthenticationError
        #expect(failure == error && engine.paths.isEmpty)
        withExtendedLifetime(scene) {}
    }

    @Test("A8 SESSION, K5 STALE: a validation behind a stale answer isn't sent after a sign-out")
    func validation() async throws {
        let engine = DirectedEngine(), clock = WallClock(), session = try session()
        let limited = URLRequestDispatcher(engine: engine).limited(to: 1)
        let cached = limited.cached(in: HTTPCache(clock), partition: .named("all"))
        let kept = try request("GET", "http://host/kept"), stale = try request("GET", "http://host/stale")
        let controls = [(kept, "max-age=1, stale-while-revalidate=60"), (stale, "max-age=1")]
        for (hop, (get, control)) in controls.enumerated() {
            let loaded = cached.dataFuture(from: get)
            loaded.start()
            await engine.started(hop + 1)
            let fields = [(name: "Cache-Control", value: control), (name: "ETag", value: "\"1\"")]
            let head = TransferHead(url: try url("http://host/"), status: 200, fields: fields)
            engine.tell(hop, .head(head, request: get))
            engine.tell(hop, .finished)
            _ = try await loaded.value
        }
        clock.advance(by: 10)
        let open = cached.dataFuture(from: try request("GET", "http://host/open"))
        open.start()
        await engine.started(3)
        #expect(await cached.authenticated(by: session).dataFuture(from: kept).statusOrName == "200")
        session.removeCredential()
        // It waits behind the validation.
        let next = cached.dataFuture(from: stale)
        next.start()
        engine.answer(2)
        await engine.started(4)
        engine.answer(3)
        #expect(await next.statusOrName == "200")
        #expect(engine.paths == ["/kept", "/stale", "/open", "/stale"])
        #expect(await open.statusOrName == "200")
    }

    @Test("A8 SESSION: a request that another one sends on its way, without that credential, is sent after a sign-out")
    func other() async throws {
        let origin = CacheOrigin { _, _ in .init() }, session = try keys(1), get = try request("GET")
        let inner = URLRequestDispatcher(engine: origin), token = try request("GET", "https://example.com/token")
        let outer = KeyServer(accepting: 1) { _ in
            session.removeCredential()
            #expect(await inner.dataFuture(from: token).statusOrName == "200")
            #expect(await inner.retrying().dataFuture(from: token).statusOrName == "200")
            #expect(await inner.observed(by: ObservedEvents()).dataFuture(from: token).statusOrName == "200")
        }
        #expect(await outer.authenticated(by: session).dataFuture(from: get).statusOrName == "200")
        #expect(origin.count == 3)
    }
}
