import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Counts the requests that are about to be sent.
private struct CountingAdapter: RequestAdapter {
    let counts = Watched<[String: Int]>([:])

    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        counts.withLock { $0[urlRequest.value(forHTTPHeaderField: "Authorization") ?? "none", default: 0] += 1 }
        return urlRequest
    }
}

@Suite("Authenticating over a real socket", .timeLimit(.minutes(10)))
struct AuthenticatingSocketTests {
    private let server: LoopbackServer
    private let adapter = CountingAdapter()
    private let network: URLRequestDispatcher
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer.start()
        folder = try TemporaryFolder()
        network = URLRequestDispatcher(configuration: .ephemeral, requestAdapter: adapter)
    }

    /// Accepts only the token "new", and issues it.
    private func serve(_ path: String, rejection: LoopbackReply = .text("no", status: 401)) {
        server.handle("*", path) { request in
            request.header("Authorization") == "Bearer new" ? .text("yes") : rejection
        }
        server.handle("POST", "/token", reply: .json(#"{"access_token":"new","expires_in":3600}"#))
    }

    private func session(by login: some DataDispatcher, gate: Gate? = nil) -> Authenticator<BearerToken> {
        let request = server.request("/token")
        return .bearer(BearerToken("old", refreshToken: "r"), for: server.baseURL, clock: ManualClock()) { old in
            var request = request
            request.httpMethod = "POST"
            request.setFormBody(["grant_type": "refresh_token", "refresh_token": old.refreshToken ?? ""])
            await gate?.pass()
            return try await login.dataFuture(from: request).validated().decoded(BearerToken.self).value.data
        }
    }

    @Test("Each kind of exchange, with the refresh by another exchange", arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        serve("/a")
        let session = session(by: network), dispatcher = network.authenticated(by: session)
        var put = server.request("/a")
        put.httpMethod = "PUT"
        #expect(try await kind.text(of: put, by: dispatcher, in: folder).value == "yes")
        let tokens = server.requests.map { $0.header("Authorization") }
        #expect(tokens == ["Bearer old", nil, "Bearer new"])
        #expect(
            server.requests(path: "/token").map { String(decoding: $0.body, as: UTF8.self) }.first?.contains(
                "refresh_token=r") == true)
        #expect(session.credential?.accessToken == "new" && session.credential?.refreshToken == "r")
    }

    @Test("A2 SINGLE: a thousand 401s cause one refresh and two thousand exchanges; A6: by the same dispatcher")
    func thousand() async throws {
        let gate = LoopbackGate()
        serve("/a", rejection: LoopbackReply(steps: [.gate(gate)] + LoopbackReply.text("no", status: 401).steps))
        let box = Box<any DataDispatcher>()
        let session = session(by: Forwarding(box: box))
        let dispatcher = network.authenticated(by: session), request = server.request("/a")
        box.value = dispatcher
        async let endings = outcomes(1000, of: dispatcher, request)
        // All requests carry the old token before the first is rejected.
        await adapter.counts.wait { $0["Bearer old"] == 1000 }
        gate.open()
        #expect(await endings == ["200": 1000])
        #expect(server.requestCount(path: "/a") == 2000 && server.requestCount(path: "/token") == 1)
        #expect(adapter.counts.withLock { $0 } == ["Bearer old": 1000, "Bearer new": 1000, "none": 1])
    }

    @Test("R9 COMMIT: a rejected stream closes its connection while the refresh is in flight")
    func droppedStream() async throws {
        let gate = Gate()
        let head = LoopbackReply.Step.head(status: 401, headers: [LoopbackHeader("Content-Length", "100")])
        serve("/a", rejection: LoopbackReply(steps: [head, .body(Data("part".utf8)), .stall]))
        let future = network.authenticated(by: session(by: network, gate: gate)).streamFuture(
            from: server.request("/a"))
        let task = Task { await future.statusOrName }
        await gate.reached()
        try await server.waitForClosedConnections()
        gate.open()
        #expect(await task.value == "200")
    }

    @Test("A9 EARLY: a redirect to another origin leaves the credential behind, and a 401 from there is data")
    func redirects() async throws {
        let other = try LoopbackServer.start()
        other.handle("*", "/b", reply: .text("no", status: 401))
        serve("/c")
        server.handle("GET", "/away", reply: .redirect(302, to: other.url("/b").absoluteString))
        server.handle("GET", "/near", reply: .redirect(302, to: "/c"))
        let dispatcher = network.authenticated(by: session(by: network))
        #expect(await dispatcher.dataFuture(from: server.request("/away")).statusOrName == "401")
        #expect(server.requestCount(path: "/token") == 0)
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
        #expect(await dispatcher.dataFuture(from: server.request("/near")).statusOrName == "200")
        #expect(server.requestCount(path: "/token") == 1 && server.requestCount(path: "/near") == 2)
    }

    @Test("A3 SURVIVE: after a cancellation during the refresh, nothing but the refresh is sent")
    func cancellation() async throws {
        let gate = Gate()
        serve("/a")
        let session = session(by: network, gate: gate)
        let dispatcher = network.authenticated(by: session)
        let future = dispatcher.dataFuture(from: server.request("/a"))
        let task = Task { await future.statusOrName }
        await gate.reached()
        task.cancel()
        #expect(await task.value == "cancelled")
        gate.open()
        for await token in session.credentials where token?.accessToken == "new" { break }
        // Anything sent earlier arrives before this.
        _ = try await network.dataFuture(from: server.request("/text")).value
        #expect(server.requestCount(path: "/a") == 1 && server.requestCount(path: "/token") == 1)
    }

    @Test("A body that is sent again, and a download that leaves no trace of the 401")
    func bodies() async throws {
        serve("/a")
        let dispatcher = network.authenticated(by: session(by: network))
        var put = server.request("/a")
        put.httpMethod = "PUT"
        let file = try folder.file("file", containing: "content")
        #expect(await dispatcher.uploadFuture(from: put, withFile: file).statusOrName == "200")
        #expect(server.requests(path: "/a").map { String(decoding: $0.body, as: UTF8.self) } == ["content", "content"])
        let target = folder.file("target")
        let download = network.authenticated(by: session(by: network)).downloadFuture(
            from: server.request("/a"), to: target)
        #expect(await download.statusOrName == "200")
        #expect(try String(contentsOf: target, encoding: .utf8) == "yes")
        #expect(try folder.names.sorted() == ["file", "target"])
    }
}

/// Forwards to the dispatcher that the box holds by then.
private struct Forwarding: DataDispatcher {
    let box: Box<any DataDispatcher>

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        box.value?.dataFuture(from: urlRequest) ?? ResponseFuture(error: Mishap())
    }
}
