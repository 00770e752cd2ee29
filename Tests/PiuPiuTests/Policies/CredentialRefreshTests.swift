import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A task-local value.
private enum Mark {
    @TaskLocal static var current = "none"
}

@Suite("The refresh of a credential", .timeLimit(.minutes(10)))
struct CredentialRefreshTests {
    private let clock = ManualClock()
    private let server = KeyServer(accepting: 2)

    @Test("A3 SURVIVE: a refresh whose waiters are all cancelled still ends, and its credential is kept")
    func survive() async throws {
        let refresh = GatedRefresh(), get = try request("GET")
        let session = try keys(1, clock: clock) { try await refresh($0) }
        let dispatcher = server.authenticated(by: session)
        let waiting = (0..<5).map { _ in Awaiting(now: dispatcher.dataFuture(from: get)) }
        await refresh.gate.reached()
        for (number, awaiting) in waiting.enumerated() where number > 0 { awaiting.cancel() }
        for awaiting in waiting.dropFirst() { #expect(await awaiting.ending == "cancelled") }
        let future = dispatcher.dataFuture(from: get)
        let last = Task { await future.statusOrName }
        waiting[0].cancel()
        #expect(await waiting[0].ending == "cancelled")
        future.cancel()
        #expect(await last.value == "cancelled")
        #expect(session.credential == 1)
        refresh.gate.open()
        await session.holds(2)
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        // A cancelled one may still be about to be sent, with the old credential.
        #expect(server.sent.filter { $0 != "1" } == ["2"] && refresh.count.value == 1)
        await clock.noSleepers()
    }

    @Test("A3 SURVIVE: a refresh inherits no task-local values, and its requests see that they belong to it")
    func nobodys() async throws {
        let seen = EventLog(), get = try request("GET"), server = server
        let session = try keys(1, clock: clock) { old in
            seen("\(Mark.current) \(CredentialRefresh.isCurrent) \(Task.isCancelled)")
            _ = await server.dataFuture(from: get).then { _ in seen("request \(CredentialRefresh.isCurrent)") }.result
            return old + 1
        }
        let future = server.authenticated(by: session).dataFuture(from: get)
            .then { _ in seen("\(Mark.current) \(CredentialRefresh.isCurrent)") }
        try await Mark.$current.withValue("mine") { try await future.value }
        #expect(seen.events == ["none true false", "request true", "mine false"])
    }

    @Test("L5 BYPASS: a task that outlives the refresh that started it waits for its turn like any other")
    func outlived() async throws {
        let engine = DirectedEngine(), limited = engine.limited(to: 1), get = try request("GET")
        let isOver = Gate(), late = Box<Task<Void, any Error>>()
        limited.start(try hop("/0"), EventTrace())
        let session = try keys(1, clock: clock) { old in
            limited.start(try hop("/token"), EventTrace())
            late.value = Task {
                await isOver.pass()
                limited.start(try hop("/late"), EventTrace())
            }
            return old + 1
        }
        #expect(await server.authenticated(by: session).dataFuture(from: get).statusOrName == "200")
        isOver.open()
        try await late.value?.value
        #expect(engine.paths == ["/0", "/token"])
    }

    @Test("A4 FAILED: all waiters and late rejections get the refresh's error; a new request refreshes again")
    func failure() async throws {
        var refresh = GatedRefresh()
        refresh.result = .failure(Mishap(number: 7))
        let late = Gate(), get = try request("GET"), failing = refresh
        let server = KeyServer(accepting: 2) { if $0.url?.path() == "/late" { await late.pass() } }
        let session = try keys(1, clock: clock) { try await failing($0) }
        let dispatcher = server.authenticated(by: session)
        let lateFuture = dispatcher.dataFuture(from: try request("GET", "https://example.com/late"))
        let lateOutcome = Awaiting(now: lateFuture)
        await late.reached()
        let waiting = (0..<5).map { _ in Awaiting(now: dispatcher.dataFuture(from: get)) }
        await refresh.gate.reached()
        refresh.gate.open()
        for awaiting in waiting { #expect(await awaiting.ending == "error Mishap(number: 7)") }
        late.open()
        #expect(await lateOutcome.ending == "error Mishap(number: 7)")
        #expect(refresh.count.value <= 5 && session.credential == 1)
        let before = refresh.count.value
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "Mishap(number: 7)")
        #expect(refresh.count.value == before + 1)
        session.setCredential(2)
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        await clock.noSleepers()
    }

    @Test("A4 FAILED: a refresh that throws a cancellation cancels its waiters")
    func cancelledByItself() async throws {
        let get = try request("GET")
        for error in [CancellationError(), URLError(.cancelled)] as [any Error] {
            let session = try keys(1, clock: clock) { _ in throw error }
            #expect(await server.authenticated(by: session).dataFuture(from: get).statusOrName == "cancelled")
        }
    }

    @Test("A6 EXEMPT: requests of a refresh, and of its tasks, go unchanged through the same dispatcher")
    func exempt() async throws {
        let box = Box<any DataDispatcher>(), get = try request("GET"), after = Gate(), statuses = EventLog()
        let session = try keys(1, clock: clock) { old in
            guard let dispatcher = box.value else { throw Mishap() }
            statuses(await dispatcher.dataFuture(from: get).statusOrName)
            statuses(await Task { await dispatcher.dataFuture(from: get).statusOrName }.value)
            Task {
                await after.pass()
                statuses(await dispatcher.dataFuture(from: get).statusOrName)
            }
            return old + 1
        }
        let dispatcher = server.authenticated(by: session)
        box.value = dispatcher
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        #expect(server.sent == ["1", "none", "none", "2"])
        after.open()
        #expect(await statuses.all(3) == ["401", "401", "200"], "work that outlives the refresh is no longer exempt")
    }

    @Test("A6 EXEMPT: requests of a nested authenticator's refresh are exempt, too")
    func nested() async throws {
        let box = Box<any DataDispatcher>(), get = try request("GET")
        let outer = try keys(1, clock: clock) { old in
            let inner = try keys(7, clock: ManualClock()) { _ in
                guard let dispatcher = box.value else { throw Mishap() }
                return try await dispatcher.dataFuture(from: get).value.head.status ?? 0
            }
            let other = KeyServer(accepting: 401)
            #expect(await other.authenticated(by: inner).dataFuture(from: get).statusOrName == "200")
            #expect(other.sent == ["7", "401"], "another authenticator's requests aren't exempt")
            return old + 1
        }
        let dispatcher = server.authenticated(by: outer)
        box.value = dispatcher
        #expect(await dispatcher.dataFuture(from: get).statusOrName == "200")
        #expect(server.sent == ["1", "none", "2"])
    }

    @Test("RELEASE: nothing is retained once a refresh is over and the dispatcher gone")
    func release() async throws {
        let closures = Population(), get = try request("GET")
        do {
            let member = closures.member()
            let session = try keys(1, clock: clock) { old in withExtendedLifetime(member) { old + 1 } }
            #expect(await server.authenticated(by: session).dataFuture(from: get).statusOrName == "200")
        }
        await closures.extinct()
        await clock.noSleepers()
    }
}
