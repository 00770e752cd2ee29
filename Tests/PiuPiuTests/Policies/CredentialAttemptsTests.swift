import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Sign-out between attempts", .timeLimit(.minutes(10)))
struct CredentialAttemptsTests {
    /// Measures the back-off of a retry, or the delay of a hedge.
    private let clock = ManualClock()

    /// A server that breaks the connection of the first request.
    private func breakingServer() -> KeyServer {
        let count = Counter()
        return KeyServer(accepting: 2) { _ in if count.increment() == 1 { throw TransferError(.connectionLost) } }
    }

    @Test(
        "A8 SESSION: a retry isn't sent after a sign-out, nor for the next user, in any order of the policies",
        arguments: [true, false], [true, false])
    func retry(signsIn: Bool, isInside: Bool) async throws {
        let server = breakingServer(), session = try keys(1), get = try request("GET")
        let inside = server.retrying(.fixed(clock)).authenticated(by: session)
        let around = server.authenticated(by: session).retrying(.fixed(clock))
        let dispatcher: any DataDispatcher = isInside ? inside : around
        let task = Task { await dispatcher.dataFuture(from: get).statusOrName }
        await clock.sleepers()
        session.removeCredential()
        if signsIn { session.setCredential(2) }
        clock.advance(by: .seconds(1))
        #expect(await task.value == "credentialRemoved" && server.sent == ["1"])
        #expect(await dispatcher.dataFuture(from: get).statusOrName == (signsIn ? "200" : "401"), "another request")
    }

    @Test(
        "A8 SESSION: a retry is sent with the new credential after a refresh, or a sign-in", arguments: [true, false])
    func newCredential(isRefresh: Bool) async throws {
        let server = breakingServer(), session = try keys(1), get = try request("GET")
        let dispatcher = server.authenticated(by: session).retrying(.fixed(clock))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrName }
        await clock.sleepers()
        if isRefresh {
            let other = server.authenticated(by: session).dataFuture(from: try request("GET", "https://example.com/b"))
            #expect(await other.statusOrName == "200")
        } else {
            session.setCredential(2)
        }
        clock.advance(by: .seconds(1))
        #expect(await task.value == "200" && server.sent == (isRefresh ? ["1", "1", "2", "2"] : ["1", "2"]))
    }

    @Test(
        "A8 SESSION: a retry of a request without a credential is sent after a removal of none, or of a later one",
        arguments: [true, false], [true, false])
    func anonymous(signsIn: Bool, isInside: Bool) async throws {
        let server = breakingServer(), session = try keys(nil), get = try request("GET")
        let inside = server.retrying(.fixed(clock)).authenticated(by: session)
        let around = server.authenticated(by: session).retrying(.fixed(clock))
        let dispatcher: any DataDispatcher = isInside ? inside : around
        let task = Task { await dispatcher.dataFuture(from: get).statusOrName }
        await clock.sleepers()
        if signsIn { session.setCredential(2) }
        session.removeCredential()
        clock.advance(by: .seconds(1))
        #expect(await task.value == "401" && server.sent == ["none", "none"])
    }

    @Test("A8 SESSION: an attempt with the credential of a later sign-in is one of that user")
    func later() async throws {
        let count = Counter(), session = try keys(nil), get = try request("GET")
        let server = KeyServer(accepting: 2) { _ in if count.increment() < 3 { throw TransferError(.connectionLost) } }
        let dispatcher = server.authenticated(by: session).retrying(.fixed(clock))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrName }
        await clock.sleepers()
        session.setCredential(1)
        clock.advance(by: .seconds(1))
        await clock.sleepers()
        session.removeCredential()
        session.setCredential(2)
        clock.advance(by: .seconds(1))
        #expect(await task.value == "credentialRemoved" && server.sent == ["none", "1"])
    }

    @Test("A8 SESSION: a hedge sends no copy after a sign-out, and the first is answered", arguments: [true, false])
    func hedge(isOverRetry: Bool) async throws {
        let late = Gate()
        let server = KeyServer(accepting: 1) { if $0.value(forHTTPHeaderField: "X-Key") == "1" { await late.pass() } }
        let session = try keys(1), get = try request("GET")
        let base: any DataDispatcher = server.authenticated(by: session)
        let copies = Telling(base: isOverRetry ? base.retrying(.fixed(SkippingClock())) : base)
        let dispatcher = copies.hedged(.test(clock, copies: 3))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrName }
        await late.reached()
        await clock.sleepers()
        session.removeCredential()
        session.setCredential(2)
        clock.advance(by: .seconds(1))
        await copies.ended.wait(for: 1)
        late.open()
        #expect(await task.value == "200" && server.sent == ["1"])
    }

    @Test("A8 SESSION: a hedge inside the authenticator sends no copy after a sign-out", arguments: [true, false])
    func hedgeInside(signsIn: Bool) async throws {
        let gate = Gate(), count = Counter(), session = try keys(1), get = try request("GET")
        let server = KeyServer(accepting: 1) { _ in
            guard count.increment() == 1 else { return }
            await gate.pass()
            throw TransferError(.connectionLost)
        }
        let dispatcher = server.hedged(.test(clock)).authenticated(by: session)
        let task = Task { await dispatcher.dataFuture(from: get).statusOrError }
        await gate.reached()
        session.removeCredential()
        if signsIn { session.setCredential(2) }
        gate.open()
        // A copy would go at once.
        #expect(await task.value == "connectionLost" && server.sent == ["1"])
    }

    @Test("A8 SESSION: an authenticator inside doesn't send again what has the removed credential of one around it")
    func authenticatorInside() async throws {
        let refresh = GatedRefresh(), server = KeyServer(accepting: 2), get = try request("GET")
        let inner = Authenticator(1, for: try url("https://example.com"), clock: clock) { request, key in
            request.setValue("\(key)", forHTTPHeaderField: "X-Other-Key")
        } refresh: {
            try await refresh($0)
        }
        let session = try keys(1), dispatcher = server.authenticated(by: inner).authenticated(by: session)
        let task = Task { await dispatcher.dataFuture(from: get).statusOrName }
        await refresh.gate.reached()
        session.removeCredential()
        session.setCredential(2)
        refresh.gate.open()
        #expect(await task.value == "credentialRemoved" && server.sent == ["1"])
    }

    @Test(
        "HEDGE: a copy whose credential can't be refreshed isn't sent, and the first is answered",
        arguments: [nil, StatusCode.badRequest, .unauthorized])
    func failedRefresh(status: StatusCode?) async throws {
        let late = Gate(), now = Locked(Date(timeIntervalSince1970: 0)), get = try request("GET")
        let server = KeyServer(accepting: 1) { _ in await late.pass() }
        let login = try request("POST", "https://example.com/login")
        let error = status.flatMap {
            UnacceptableStatusError(Response<Data?>.makeMockResponse(with: login, statusCode: $0))
        }
        var session = try keys(1, refresh: { _ in throw error ?? Mishap() as any Error }, now: { now.withLock { $0 } })
        session.expiry = { _ in Date(timeIntervalSince1970: 1_000) }
        let copies = Telling(base: server.authenticated(by: session))
        let dispatcher = copies.hedged(.test(clock))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrName }
        await late.reached()
        await clock.sleepers()
        now.withLock { $0 = Date(timeIntervalSince1970: 990) }
        clock.advance(by: .seconds(1))
        await copies.ended.wait(for: 1)
        late.open()
        #expect(await task.value == "200" && server.sent == ["1"])
    }

    @Test("D2 PROMPT: a deadline that ends the wait for a refresh doesn't say that nothing was sent")
    func deadlineOfRefresh() async throws {
        for isHedged in [false, true] {
            let refresh = GatedRefresh(), server = KeyServer(accepting: 2), get = try request("GET")
            let session = try keys(1) { try await refresh($0) }
            let base: any DataDispatcher = server.authenticated(by: session)
            let dispatcher = (isHedged ? base.hedged(after: .seconds(3600)) : base).deadline(.seconds(5), clock: clock)
            let future = dispatcher.dataFuture(from: get), task = Task { try await future.value }
            await refresh.gate.reached()
            clock.advance(by: .seconds(5))
            let error = await #expect(throws: DeadlineExceeded.self) { _ = try await task.value }
            #expect(error?.inShort == "5.0 seconds waiting" && server.sent == ["1"])
            let request = "GET https://example.com/posts"
            #expect(
                error?.localizedDescription
                    == "The deadline of 5.0 seconds was over while \(request) was waiting to be sent.")
            refresh.gate.open()
        }
    }

    @Test("A8 SESSION: if all copies of a hedge wait for a refresh, a sign-out fails them")
    func hedgedWait() async throws {
        let refresh = GatedRefresh(), server = KeyServer(accepting: 2), get = try request("GET")
        let session = try keys(1) { try await refresh($0) }
        let dispatcher = server.authenticated(by: session).hedged(.test(clock))
        let task = Task { await dispatcher.dataFuture(from: get).statusOrName }
        await refresh.gate.reached()
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        session.removeCredential()
        #expect(await task.value == "credentialRemoved")
        refresh.gate.open()
    }

    @Test("A8 SESSION: a request that is started inside another one, after a sign-out, belongs to the next user")
    func inner() async throws {
        let session = try keys(1), inner = KeyServer(accepting: 2)
        let token = try request("GET", "https://example.com/token"), get = try request("GET")
        let outer = KeyServer(accepting: 1) { _ in
            session.removeCredential()
            session.setCredential(2)
            let dispatcher = inner.authenticated(by: session).retrying(.fixed(SkippingClock()))
            #expect(await dispatcher.dataFuture(from: token).statusOrName == "200")
            #expect(await inner.authenticated(by: session).dataFuture(from: token).statusOrName == "200")
        }
        let dispatcher = outer.authenticated(by: session).retrying(.fixed(SkippingClock()))
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        #expect(outer.sent == ["1"] && inner.sent == ["2", "2"])
    }
}
