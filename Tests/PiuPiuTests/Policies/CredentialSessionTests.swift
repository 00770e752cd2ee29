import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Sign-in and sign-out", .timeLimit(.minutes(10)))
struct CredentialSessionTests {
    private let clock = ManualClock()
    private let server = KeyServer(accepting: 2)

    @Test("A8 SESSION: a sign-out during a refresh fails its waiters, and a late credential is discarded")
    func signOut() async throws {
        let refresh = GatedRefresh(), get = try request("GET"), hasEnded = Gate()
        let session = try keys(1, clock: clock) { old in
            defer { hasEnded.open() }
            return try await refresh(old)
        }
        let dispatcher = server.authenticated(by: session)
        let waiting = (0..<3).map { _ in Awaiting(now: dispatcher.dataFuture(from: get)) }
        await refresh.gate.reached()
        session.removeCredential()
        let error = AuthenticationError.credentialRemoved(origin: "https://example.com:443")
        for awaiting in waiting {
            let ending = await awaiting.ending
            // One that was rejected after the sign-out has its 401.
            #expect(ending == "error \(error)" || ending.contains("401"))
        }
        let before = server.sent.count
        refresh.gate.open()
        await hasEnded.opened()
        await clock.noSleepers()
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "401")
        #expect(session.credential == nil && server.sent.dropFirst(before) == ["none"] && refresh.count.value == 1)
    }

    @Test("A8 SESSION: after a sign-in during a refresh, its waiters continue with the new credential")
    func signIn() async throws {
        let refresh = GatedRefresh(result: .success(99)), get = try request("GET"), hasEnded = Gate()
        let session = try keys(1, clock: clock) { old in
            defer { hasEnded.open() }
            return try await refresh(old)
        }
        let dispatcher = server.authenticated(by: session)
        let waiting = (0..<3).map { _ in Awaiting(now: dispatcher.dataFuture(from: get).then { $0.head.status ?? 0 }) }
        await refresh.gate.reached()
        session.setCredential(2)
        for awaiting in waiting { #expect(await awaiting.ending == "value 200") }
        refresh.gate.open()
        await hasEnded.opened()
        await clock.noSleepers()
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        #expect(session.credential == 2 && refresh.count.value == 1)
    }

    @Test("A8 SESSION: a request sent before a sign-out isn't sent again for the next user", arguments: [true, false])
    func nextUser(signsIn: Bool) async throws {
        let late = Gate(), get = try request("GET", "https://example.com/late")
        let server = KeyServer(accepting: 2) { if $0.url?.path() == "/late" { await late.pass() } }
        let session = try keys(1, clock: clock)
        let answer = Awaiting(now: server.authenticated(by: session).dataFuture(from: get).then { $0.head.status ?? 0 })
        await late.reached()
        session.removeCredential()
        if signsIn { session.setCredential(2) }
        late.open()
        #expect(await answer.ending == "value 401" && server.sent == ["1"])
    }

    /// A clock whose sleep goes on until it is cancelled.
    private final class EndlessClock: Clock {
        let sleep = Gate(), onCancel = Box<@Sendable () -> Void>()

        var now: ContinuousClock.Instant { .now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            try await withTaskCancellationHandler {
                try await sleep.passUnlessCancelled()
            } onCancel: {
                onCancel.value?()
            }
        }
    }

    @Test("A8 SESSION: nor is one whose refresh has ended just before the sign-out")
    func nextUserAfterRefresh() async throws {
        let clock = EndlessClock(), server = KeyServer(accepting: 7), get = try request("GET")
        let session = try keys(1, clock: clock) { _ in
            await clock.sleep.reached()
            return 2
        }
        // The time limit is cancelled when the new credential is there, before those that wait for it go on.
        clock.onCancel.value = {
            session.removeCredential()
            session.setCredential(7)
        }
        let outcome = await server.authenticated(by: session).dataFuture(from: get).statusOrName
        clock.onCancel.value = nil
        #expect(outcome == "credentialRemoved" && server.sent == ["1"])
    }

    @Test("Each observer gets the credentials in order; a slow one gets the newest")
    func observation() async throws {
        let session = try keys(1, clock: clock), get = try request("GET")
        var first = session.credentials.makeAsyncIterator(), second = session.credentials.makeAsyncIterator()
        var seen = [await first.next()]
        _ = await server.authenticated(by: session).dataFuture(from: get).statusOrName
        seen.append(await first.next())
        session.removeCredential()
        seen.append(await first.next())
        session.setCredential(4)
        session.setCredential(5)
        seen += [await first.next(), await second.next()]
        #expect(seen.map { $0.map { $0 ?? 0 } } == [1, 2, 0, 5, 5])
        let waiting = Task {
            var credentials = session.credentials.makeAsyncIterator()
            while await credentials.next() != nil {}
            return "ended"
        }
        waiting.cancel()
        #expect(await waiting.value == "ended")
    }
}
