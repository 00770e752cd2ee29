import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks for a token before each request, by a dispatcher that tries again.
private struct TokenAdapter: RequestAdapter {
    let dispatcher: any DataDispatcher
    let request: URLRequest
    let id = Box<ExchangeID>()

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        id.value = ExchangeID.current
        _ = try await dispatcher.dataFuture(from: request).value
        return urlRequest
    }
}

@Suite("Observing over a real socket", .timeLimit(.minutes(10)))
struct ObservingSocketTests {
    private let server: LoopbackServer
    private let network = URLRequestDispatcher(configuration: .ephemeral)
    private let observed = ObservedEvents()

    init() throws {
        server = try LoopbackServer.start()
    }

    private func cancelled(
        _ path: String, _ dispatcher: some DataDispatcher, when: () async throws -> Void
    ) async throws {
        let future = dispatcher.dataFuture(from: server.request(path))
        let task = Task { await future.statusOrError }
        try await when()
        task.cancel()
        #expect(await task.value == "cancelled")
    }

    @Test("Each step of a retried exchange: admitted, heads, retries, bytes both ways and metrics")
    func steps() async throws {
        let count = Counter()
        server.handle("PUT", "/a") { _ in count.increment() == 1 ? .text("not yet", status: 503) : .text("yes") }
        var put = server.request("/a")
        put.httpMethod = "PUT"
        let dispatcher = network.retrying(.fixed(SkippingClock())).observed(by: observed)
        _ = try await dispatcher.uploadFuture(from: put, with: Data("sent".utf8)).value
        #expect(
            observed.words == [
                "started", "admitted", "head 503", "retrying 2", "restarted", "admitted", "head 200", "finished 200",
            ])
        let summary = try #require(observed.summaries.first)
        #expect(summary.bytesSent == 8 && summary.bytesReceived == 10 && summary.metrics?.protocolVersion == "HTTP/1.1")
        observed.check()
    }

    @Test("A redirect is one exchange, with the last head; a resumed download counts all its bytes")
    func redirectsAndDownloads() async throws {
        server.handle("GET", "/old", reply: .redirect(302, to: "/new"))
        server.handle("GET", "/new", reply: .text("yes"))
        _ = try await network.observed(by: observed).dataFuture(from: server.request("/old")).value
        #expect(observed.words == ["started", "admitted", "head 200", "finished 200"])
        let folder = try TemporaryFolder(), count = Counter()
        server.handle("GET", "/file") { request in
            .ranged(count: 300_000, for: request, cut: count.increment() == 1 ? 100_000 : nil)
        }
        let dispatcher = network.retrying(.fixed(SkippingClock())).observed(by: observed)
        let file = folder.file("film.bin")
        _ = try await dispatcher.downloadFuture(from: server.request("/file"), to: file, isResumable: true).value
        #expect(observed.summaries.last?.bytesReceived == 300_000)
        observed.check()
    }

    @Test("A body that is sent again after a redirect counts twice", arguments: [8, 600_000])
    func redirectedBody(length: Int) async throws {
        server.handle("POST", "/old", reply: .redirect(307, to: "/new"))
        server.handle("POST", "/new", reply: .text("yes"))
        var post = server.request("/old")
        post.httpMethod = "POST"
        _ = try await network.observed(by: observed).uploadFuture(from: post, with: Data(count: length)).value
        #expect(server.requestCount(path: "/new") == 1)
        #expect(observed.summaries.map(\.bytesSent) == [Int64(2 * length)])
        observed.check()
    }

    @Test("O1 ONE: a failure on the wire is the end")
    func faults() async throws {
        server.handle("GET", "/a", reply: .truncated())
        let dispatcher = network.observed(by: observed)
        #expect(await dispatcher.dataFuture(from: server.request("/a")).statusOrError == "truncated")
        #expect(observed.words == ["started", "admitted", "head 200", "failed with truncated"])
        let refused = try URLRequest(url: server.refusingURL())
        #expect(await dispatcher.dataFuture(from: refused).statusOrError == "cannotConnect")
        #expect(observed.wordsByExchange.last == ["started", "admitted", "failed with cannotConnect"])
        var invalid = server.request("/a")
        invalid.httpMethod = "NO METHOD"
        await #expect(throws: InvalidRequestError.self) { try await dispatcher.dataFuture(from: invalid).value }
        #expect(observed.wordsByExchange.last == ["started", "failed with InvalidRequestError"])
        observed.check()
    }

    @Test("O1 ONE: one end, wherever a cancellation comes: in line, before the head, in the body")
    func cancellations() async throws {
        server.handle("GET", "/a", reply: .stall)
        server.handle("GET", "/b", reply: .stallMidBody())
        let dispatcher = network.observed(by: observed)
        try await cancelled("/a", dispatcher) { try await server.waitForRequests(1) }
        #expect(await observed.ended() == ["started", "admitted", "cancelled"])
        try await cancelled("/b", dispatcher) { await observed.event("head 200") }
        await observed.ended(2)
        #expect(observed.wordsByExchange.last == ["started", "admitted", "head 200", "cancelled"])
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 1
        let narrow = URLRequestDispatcher(configuration: configuration)
        let first = narrow.dataFuture(from: server.request("/a"))
        first.send()
        try await server.waitForRequests(2, path: "/a")
        try await cancelled("/a", narrow.observed(by: observed)) { await observed.event("started", count: 3) }
        await observed.ended(3)
        #expect(observed.wordsByExchange.last == ["started", "cancelled"])
        first.cancel()
        observed.check()
    }

    @Test("A limit below admits a request at its turn, and a refresh above is reported too")
    func policies() async throws {
        let gate = LoopbackGate()
        server.handle("GET", "/held", reply: .text("held").gated(by: gate))
        server.handle("GET", "/a") { request in
            request.header("Authorization") == "Bearer new" ? .text("yes") : .text("no", status: 401)
        }
        let session = Authenticator.bearer(BearerToken("old"), for: server.baseURL, clock: ManualClock()) { _ in
            BearerToken("new")
        }
        let narrow = network.limited(to: 1), dispatcher = narrow.authenticated(by: session).observed(by: observed)
        let held = narrow.dataFuture(from: server.request("/held"))
        held.send()
        try await server.waitForRequests(1)
        let task = dispatcher.dataFuture(from: server.request("/a")).awaitedInTask()
        await observed.event("started")
        #expect(observed.words == ["started"])
        gate.open()
        #expect(await task.value.hasPrefix("value"))
        // Once by this limit, once by the configuration's.
        let admitted = ["admitted", "admitted"]
        #expect(
            await observed.ended() == ["started"] + admitted + ["head 401", "refreshed"] + admitted
                + ["head 200", "finished 200"])
        _ = try await held.value
        observed.check()
    }

    @Test("An adapter's requests aren't part of the exchange, whose ID the adapter sees")
    func adapter() async throws {
        let count = Counter()
        server.handle("GET", "/token") { _ in count.increment() == 1 ? .text("", status: 503) : .text("token") }
        server.handle("GET", "/a", reply: .text("yes"))
        let tokens = network.retrying(.fixed(SkippingClock()))
        let adapter = TokenAdapter(dispatcher: tokens, request: server.request("/token"))
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral, requestAdapter: adapter).observed(by: observed)
        _ = try await dispatcher.dataFuture(from: server.request("/a")).value
        #expect(observed.words == ["started", "admitted", "head 200", "finished 200"])
        #expect(observed.summaries.map(\.bytesReceived) == [3] && adapter.id.value == observed.events.first?.id)
    }

    @Test("A thousand exchanges at once, some failing, retried or cancelled, have one start and one end each")
    func thousand() async throws {
        let count = Counter()
        server.handle("GET", "/retried") { _ in
            count.increment().isMultiple(of: 2) ? .text("no", status: 503) : .text("yes")
        }
        server.handle("GET", "/a", reply: .text("yes"))
        server.handle("GET", "/broken", reply: .close)
        let inside = ObservedEvents()
        var policy = RetryPolicy.fixed(SkippingClock())
        policy.budget = nil
        let dispatcher = network.observed(by: inside).retrying(policy).observed(by: observed)
        let requests = ["/a", "/retried", "/broken", "/a"].map { server.request($0) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                let future = dispatcher.dataFuture(from: requests[number % 4])
                group.addTask { _ = await future.statusOrError }
                if number % 10 == 3 { group.addTask { future.cancel() } }
            }
        }
        // Exchanges cancelled before their start have neither.
        let starts = observed.words.count { $0 == "started" }
        #expect(starts > 800 && starts <= 1000)
        await observed.ended(starts)
        await inside.ended(inside.words.count { $0 == "started" })
        observed.check()
        inside.check()
        let attempts = observed.events.count { ["started", "restarted"].contains($0.word) }
        #expect(inside.summaries.count <= attempts && inside.summaries.count >= attempts - 100)
    }
}
