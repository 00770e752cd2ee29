import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Limits of a refresh", .timeLimit(.minutes(10)))
struct CredentialBoundTests {
    private let clock = ManualClock()
    private let server = KeyServer(accepting: 2)

    @Test(
        "A7 BOUND: a hanging refresh times out after 30 s; a credential that still comes is kept",
        arguments: [true, false])
    func hanging(isDeaf: Bool) async throws {
        let refresh = GatedRefresh(), get = try request("GET"), cancelled = Gate()
        let session = try keys(1, clock: clock) { old in
            if isDeaf { return try await refresh(old) }
            refresh.count.increment()
            try await withTaskCancellationHandler {
                try await refresh.gate.passUnlessCancelled()
            } onCancel: {
                cancelled.open()
            }
            return old + 1
        }
        let dispatcher = server.authenticated(by: session)
        let waiting = (0..<3).map { _ in Awaiting(now: dispatcher.dataFuture(from: get).then { $0.head.status ?? 0 }) }
        await refresh.gate.reached()
        await clock.sleepers()
        clock.advance(by: .milliseconds(29_999))
        #expect(session.credential == 1)
        clock.advance(by: .milliseconds(1))
        let error = AuthenticationError.refreshTimedOut(after: .seconds(30), origin: "https://example.com:443")
        for awaiting in waiting { #expect(await awaiting.ending == "error \(error)") }
        guard isDeaf else { return await cancelled.opened() }
        refresh.gate.open()
        await session.holds(2)
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
    }

    @Test(
        "A7 BOUND: a time limit of the user's, however short or long",
        arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max)])
    func limits(limit: Duration) async throws {
        let refresh = GatedRefresh(), get = try request("GET")
        var session = try keys(1, clock: clock) { try await refresh($0) }
        session.timeLimit = limit
        let answer = Awaiting(now: server.authenticated(by: session).dataFuture(from: get).then { $0.head.status ?? 0 })
        if limit > .zero {
            await clock.sleepers()
            refresh.gate.open()
            #expect(await answer.ending == "value 200")
        } else {
            #expect(await answer.ending.contains("refreshTimedOut"))
            refresh.gate.open()
        }
    }

    @Test("A7 BOUND: at most five refreshes in 30 s")
    func tooMany() async throws {
        let server = KeyServer(accepting: -1), get = try request("GET"), count = Counter()
        let session = try keys(0, clock: clock) { old in
            count.increment()
            return old + 1
        }
        let dispatcher = server.authenticated(by: session)
        for _ in 0..<5 { #expect(await dispatcher.dataFuture(from: get).statusOrName == "401") }
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "tooManyRefreshes")
        #expect(count.value == 5 && session.credential == 5)
        clock.advance(by: .seconds(30))
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "401" && count.value == 6)
    }

    @Test("A7 BOUND, A8 SESSION: a new session begins with a fresh count", arguments: [true, false])
    func freshCount(signsOut: Bool) async throws {
        let server = KeyServer(accepting: -1), get = try request("GET"), count = Counter()
        let session = try keys(0, clock: clock) { old in
            count.increment()
            return old + 1
        }
        let dispatcher = server.authenticated(by: session)
        for _ in 0..<5 { #expect(await dispatcher.dataFuture(from: get).statusOrName == "401") }
        if signsOut { session.removeCredential() }
        session.setCredential(20)
        for _ in 0..<5 { #expect(await dispatcher.dataFuture(from: get).statusOrName == "401") }
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "tooManyRefreshes")
        #expect(count.value == 10 && session.credential == 25)
    }

    @Test("A7 BOUND, A9 EARLY: if the limit forbids a refresh for the expiry, the server decides")
    func wrongClock() async throws {
        let server = KeyServer(accepting: 3), get = try request("GET")
        var session = try keys(1, clock: clock)
        session.expiry = { _ in .distantPast }
        session.maximumRefreshes = 2
        let dispatcher = server.authenticated(by: session)
        _ = await dispatcher.dataFuture(from: get).statusOrName
        for _ in 0..<9 { #expect(await dispatcher.dataFuture(from: get).statusOrName == "200") }
        #expect(session.credential == 3)
    }
}
