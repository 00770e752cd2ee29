import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Authenticating", .timeLimit(.minutes(10)))
struct AuthenticatingTests {
    @Test(
        "Each kind of exchange is sent with the credential, and again with a new one",
        arguments: RecordedExchange.Kind.allCases)
    func kinds(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder(), get = try request("PUT"), server = KeyServer(accepting: 2)
        let session = try keys(1)
        let dispatcher = server.authenticated(by: session)
        #expect(try await kind.text(of: get, by: dispatcher, in: folder).value == "text")
        #expect(server.sent == ["1", "2"] && session.credential == 2)
        #expect(try await kind.text(of: get, by: dispatcher, in: folder).value == "text")
        #expect(server.sent == ["1", "2", "2"])
        let unknown: any RequestDispatcher = server
        let wrapped = unknown.authenticated(by: session)
        #expect(try await kind.text(of: get, by: wrapped, in: folder).value == "text")
    }

    @Test("A1 GENERATION: a rejection that a cache has stored isn't held against the next credential")
    func cachedRejection() async throws {
        let origin = CacheOrigin { request, _ in
            let isValid = request.value(forHTTPHeaderField: "X-Key") == "2"
            return CacheOrigin.Answer(
                status: isValid ? 200 : 403, fields: [("Cache-Control", isValid ? "no-store" : "max-age=60")])
        }
        let refreshes = Counter(), get = try request("GET")
        var session = try keys(1) { old in
            refreshes.increment()
            return old + 1
        }
        session.rejectedStatuses.insert(.forbidden)
        let dispatcher = URLRequestDispatcher(engine: origin)
            .cached(in: HTTPCache(), partition: .named("all")).authenticated(by: session)
        for _ in 0..<3 { #expect(await dispatcher.dataFuture(from: get).statusOrName == "200") }
        #expect(refreshes.value == 1)
        #expect(origin.requests.withLock { $0.map { $0.value(forHTTPHeaderField: "X-Key") } } == ["1", "2", "2", "2"])
    }

    @Test("K7 REQUEST: what the caller says about caches counts for the attempt after a rejection, too")
    func cachePolicies() async throws {
        let origin = CacheOrigin { request, _ in
            let isValid = request.value(forHTTPHeaderField: "X-Key") == "2"
            return CacheOrigin.Answer(status: isValid ? 200 : 403, fields: [("Cache-Control", "max-age=60")])
        }
        var session = try keys(1), get = try request("GET")
        session.rejectedStatuses.insert(.forbidden)
        let network = URLRequestDispatcher(engine: origin).cached(in: HTTPCache(), partition: .named("all"))
        let dispatcher = network.authenticated(by: session)
        get.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        let fields = origin.requests.withLock { $0.map { $0.value(forHTTPHeaderField: "Cache-Control") } }
        #expect(fields == ["no-cache", "no-cache"])
        // A stored rejection is the answer where the server must not be asked.
        session = try keys(1)
        session.rejectedStatuses.insert(.forbidden)
        get.url?.append(path: "stored")
        get.cachePolicy = .useProtocolCachePolicy
        get.setValue("1", forHTTPHeaderField: "X-Key")
        #expect(await network.dataFuture(from: get).statusOrName == "403")
        get.setValue("only-if-cached", forHTTPHeaderField: "Cache-Control")
        #expect(await network.authenticated(by: session).dataFuture(from: get).statusOrName == "403")
        #expect(origin.count == 3)
    }

    @Test("A2 SINGLE: a thousand 401s at once cause one refresh and two thousand exchanges")
    func thousand() async throws {
        let stale = Gate(), count = Counter()
        let server = KeyServer(accepting: 2) { request in
            if request.value(forHTTPHeaderField: "X-Key") == "1" { await stale.pass() }
        }
        let session = try keys(1) { old in
            count.increment()
            return old + 1
        }
        let dispatcher = server.authenticated(by: session), get = try request("GET")
        async let endings = outcomes(1000, of: dispatcher, get)
        await stale.reached(1000)
        stale.open()
        #expect(await endings == ["200": 1000])
        #expect(count.value == 1 && server.sent.count == 2000)
        #expect(
            server.sent.prefix(1000).allSatisfy { $0 == "1" } && server.sent.dropFirst(1000).allSatisfy { $0 == "2" })
    }

    @Test("A1 GENERATION: after a late 401 a request is sent again with the current credential, without a refresh")
    func generations() async throws {
        let late = Gate(), count = Counter()
        let server = KeyServer(accepting: 3) { request in
            if request.url?.path() == "/late" { await late.pass() }
        }
        let session = try keys(1) { old in
            count.increment()
            return old + 1
        }
        let dispatcher = server.authenticated(by: session)
        let answer = Awaiting(
            now: dispatcher.dataFuture(from: try request("POST", "https://example.com/late")).then {
                $0.head.status ?? 0
            })
        await late.reached()
        session.setCredential(2)
        #expect(await dispatcher.dataFuture(from: try request("GET")).statusOrName == "200")
        #expect(count.value == 1 && session.credential == 3)
        late.open()
        #expect(await answer.ending == "value 200")
        #expect(count.value == 1 && server.sent == ["1", "2", "3", "3"])
    }

    @Test("A5 ONCE: a second 401 is data, even if it rejects the new credential")
    func once() async throws {
        let server = KeyServer(accepting: 9), count = Counter()
        let session = try keys(1) { old in
            count.increment()
            return old + 1
        }
        let dispatcher = server.authenticated(by: session), get = try request("GET")
        let response = try await dispatcher.dataFuture(from: get).value
        #expect(response.head.status == 401 && response.data.text == "text")
        #expect(server.sent == ["1", "2"] && count.value == 1)
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "401")
        #expect(server.sent == ["1", "2", "2", "3"] && count.value == 2)
    }

    @Test("The user decides which answers reject a credential")
    func rejection() async throws {
        let get = try request("GET")
        var session = try keys(1)
        session.rejectedStatuses = [.forbidden]
        let server = scripted(.number(401), .number(403), .number(200))
        #expect(await server.authenticated(by: session).dataFuture(from: get).statusOrName == "401")
        #expect(await server.authenticated(by: session).dataFuture(from: get).statusOrName == "200")
        session.rejection = { head, isRejected in !isRejected && head.value(for: "X-Expired") == "yes" }
        let other = scripted(.number(403), .number(200, headers: ["X-Expired": "yes"]), .number(204))
        #expect(await other.authenticated(by: session).dataFuture(from: get).statusOrName == "403")
        #expect(await other.authenticated(by: session).dataFuture(from: get).statusOrName == "204")
        session.appliesTo = { $0.url?.path() != "/posts" }
        #expect(await other.authenticated(by: session).dataFuture(from: get).statusOrName == "204")
        #expect(other.exchanges.last?.urlRequest.value(forHTTPHeaderField: "X-Key") == nil)
    }

    @Test("Without a credential, requests go unchanged; one that can be obtained is obtained first, and once")
    func without() async throws {
        let server = KeyServer(accepting: 1), get = try request("GET"), count = Counter()
        let nobody = try keys(nil) { _ in count.increment() }
        #expect(await server.authenticated(by: nobody).dataFuture(from: get).statusOrName == "401")
        #expect(server.sent == ["none"] && count.value == 0 && nobody.credential == nil)
        let client = Authenticator<Int>(for: try url("https://example.com"), clock: ManualClock()) { request, key in
            request.setValue("\(key)", forHTTPHeaderField: "X-Key")
        } obtain: {
            count.increment()
        }
        #expect(await outcomes(20, of: server.authenticated(by: client), get) == ["200": 20])
        #expect(count.value == 1 && client.credential == 1)
        client.removeCredential()
        #expect(await server.authenticated(by: client).dataFuture(from: get).statusOrName == "401")
        #expect(count.value == 1 && server.sent.last == "none")
    }

    @Test("COLD, and an error while applying a credential fails the future; nothing is sent")
    func application() async throws {
        let server = KeyServer(accepting: 1)
        let broken = Authenticator<Int>(1, for: try url("https://example.com"), clock: ManualClock()) { _, _ in
            throw Mishap(number: 4)
        } refresh: {
            $0
        }
        let future = server.authenticated(by: broken).dataFuture(from: try request("GET"))
        #expect(server.sent.isEmpty)
        #expect(await future.statusOrName == "Mishap(number: 4)" && server.sent.isEmpty)
        let cancelled = server.authenticated(by: try keys(1)).dataFuture(from: try request("GET"))
        cancelled.cancel()
        #expect(await cancelled.statusOrName == "cancelled" && server.sent.isEmpty)
    }

    @Test("Inside retrying, a replay costs no attempt; outside, it has attempts of its own")
    func retrying() async throws {
        var policy = RetryPolicy.fixed(SkippingClock())
        policy.maximumAttempts = 2
        let server = scripted(.number(401), .number(503), .number(200)), get = try request("GET")
        let inside = try await server.authenticated(by: keys(1)).retrying(policy).dataFuture(from: get).value
        #expect(inside.head.status == 200 && inside.earlierAttempts.map(\.statusCode) == [.serviceUnavailable])
        #expect(server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "X-Key") } == ["1", "2", "2"])
        let other = scripted(.number(503), .number(401), .number(503), .number(200))
        let outside = try await other.retrying(policy).authenticated(by: keys(1)).dataFuture(from: get).value
        #expect(outside.head.status == 200 && other.exchanges.count == 4)
    }

    @Test("No text of an authenticator shows a credential")
    func texts() throws {
        let token = BearerToken("secret", refreshToken: "secret")
        let session = Authenticator.bearer(token, for: try url("https://user:secret@example.com/a")) { $0 }
        var dumped = "\(session)\(token)\([token])\(String(reflecting: token))"
        dump(token, to: &dumped)
        dump(session, to: &dumped)
        dump(scripted(.text("")).authenticated(by: session), to: &dumped)
        #expect(!dumped.contains("secret"))
        #expect("\(session)" == "Authenticator(https://example.com:443)")
    }
}
