import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Expired credentials without a server", .timeLimit(.minutes(10)))
struct ExpiredCredentialTests {
    private let clock = ManualClock()

    @Test("A9 EARLY, K7 REQUEST: a request that asks no server begins no refresh, and waits for none")
    func onlyIfCached() async throws {
        let server = KeyServer(accepting: 1), refresh = GatedRefresh()
        var session = try keys(1, clock: clock) { try await refresh($0) }
        session.expiry = { $0 == 1 ? .distantPast : .distantFuture }
        let dispatcher = server.authenticated(by: session)
        var get = try request("GET")
        get.setValue("only-if-cached", forHTTPHeaderField: "Cache-Control")
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        let other = Awaiting(now: dispatcher.dataFuture(from: try request("GET")).then { $0.head.status ?? 0 })
        await refresh.gate.reached()
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200" && server.sent == ["1", "1"])
        refresh.gate.open()
        _ = await other.ending
    }

    @Test("A4 FAILED, A9 EARLY: a response in the cache is reached once the refresh returns the old token")
    func cached() async throws {
        let server = try LoopbackServer.start()
        let now = Locked(Date(timeIntervalSince1970: 0)), keepsToken = Locked(false)
        server.handle("GET", "/a", reply: .text("kept", headers: [LoopbackHeader("Cache-Control", "max-age=3600")]))
        let token = BearerToken("old", expiry: Date(timeIntervalSince1970: 100))
        let session = Authenticator.bearer(
            token, for: server.baseURL, clock: clock, now: { now.withLock { $0 } },
            refresh: { old in
                guard keepsToken.withLock({ $0 }) else { throw TransferError(.cannotConnect) }
                return old
            })
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral).cached(in: HTTPCache())
            .authenticated(by: session)
        #expect(try await dispatcher.dataFuture(from: server.request("/a")).value.data == Data("kept".utf8))
        now.withLock { $0 = Date(timeIntervalSince1970: 200) }
        let error = await #expect(throws: TransferError.self) {
            try await dispatcher.dataFuture(from: server.request("/a")).value
        }
        #expect(error?.kind == .cannotConnect)
        keepsToken.withLock { $0 = true }
        let response = try await dispatcher.dataFuture(from: server.request("/a")).value
        #expect(response.cacheStatus?.isHit == true && server.requestCount(path: "/a") == 1)
    }
}
