import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A clock whose sleep is deaf to cancellation.
private struct DeafClock: Clock {
    let gate = Gate()

    var now: ManualClock.Instant { ManualClock.Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { await gate.pass() }
}

/// What is between an event source and a dispatcher in a scope.
enum Wrapping: CaseIterable, Sendable {
    case none, recorder, own
}

/// A dispatcher of the user's own.
private struct OwnDispatcher: StreamDispatcher {
    let base: any StreamDispatcher

    func streamFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<StreamedBody>> {
        base.streamFuture(from: urlRequest)
    }
}

@Suite("Event sources that are cancelled", .timeLimit(.minutes(10)))
struct EventSourceCancellationTests {
    private let clock = SkippingClock()

    private func source(_ dispatcher: any StreamDispatcher, _ clock: any Clock<Duration>) throws -> EventSource {
        EventSource(
            dispatcher, from: try fixtureRequest("https://example.com/events"), clock: clock,
            generator: FixedGenerator())
    }

    @Test("DOWN: cancelled while connecting", arguments: [true, false])
    func cancelledConnecting(isDeaf: Bool) async throws {
        let gate = Gate(), sent = Counter()
        let server = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    sent.increment()
                    if isDeaf { await gate.pass() } else { try await gate.passUnlessCancelled() }
                    return Response.makeMockResponse(with: request, statusCode: .ok)
                })
        ])
        let source = try source(server, clock)
        let reading = Awaiting(running: {
            for try await _ in source {}
            return "end"
        })
        await gate.reached()
        reading.cancel()
        #expect(await reading.ending == "cancelled" && sent.value == 1)
        gate.open()
    }

    @Test("DOWN, PROMPT: cancelled while waiting, even by a deaf clock", arguments: [true, false])
    func cancelledWaiting(isDeaf: Bool) async throws {
        let manual = ManualClock(), deaf = DeafClock(), server = scripted(.events("data: a\n\n"))
        let source = try source(server, isDeaf ? deaf : manual)
        let reading = Awaiting(running: {
            for try await _ in source {}
            return "end"
        })
        if isDeaf { await deaf.gate.reached() } else { await manual.sleepers() }
        reading.cancel()
        #expect(await reading.ending == "cancelled" && server.exchanges.count == 1)
        if !isDeaf { await manual.noSleepers() }
        deaf.gate.open()
    }

    @Test("DOWN: after a cancellation before the start, nothing is sent")
    func cancelledBefore() async throws {
        let server = scripted(.events("data: a\n\n")), source = try source(server, clock)
        let reading = Awaiting(running: {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in source {}
            return "end"
        })
        #expect(await reading.ending == "cancelled" && server.exchanges.isEmpty)
    }

    @Test("Cancelling the dispatcher's scope ends the source")
    func scope() async throws {
        let manual = ManualClock(), scope = FutureScope(), server = scripted(.events("data: a\n\n"))
        let source = try source(server.bound(to: scope), manual)
        let reading = Awaiting(running: {
            for try await _ in source {}
            return "end"
        })
        await manual.sleepers()
        scope.cancel()
        manual.advance(by: .seconds(2))
        #expect(await reading.ending == "cancelled" && server.exchanges.count == 1)
    }

    @Test(
        "cancelAll() of the dispatcher's scope ends a waiting source, under policies and a recorder too",
        arguments: Wrapping.allCases)
    func cancelledScope(wrapping: Wrapping) async throws {
        let manual = ManualClock(), scope = FutureScope(), server = scripted(.events("data: a\n\n"), .number(204))
        let bound = server.bound(to: scope)
        let dispatcher: any StreamDispatcher =
            switch wrapping {
            case .none: bound.retrying()
            case .recorder: RecordingDispatcher(bound).retrying()
            case .own: OwnDispatcher(base: bound)
            }
        let source = try source(dispatcher, manual)
        let reading = Awaiting(running: {
            for try await _ in source {}
            return "end"
        })
        await manual.sleepers()
        scope.cancelAll()
        manual.advance(by: .seconds(2))
        #expect(await reading.ending == "cancelled" && server.exchanges.count == 1 && scope.count == 0)
    }

    @Test("cancelAll() ends a source whose connection has ended, if it is to find that out yet")
    func endedConnection() async throws {
        let scope = FutureScope(), server = scripted(.events("data: a\n\n"), .events("data: b\n\n"))
        var events = try source(server.bound(to: scope), clock).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        scope.cancelAll()
        await #expect(throws: CancellationError.self) { try await events.next() }
        #expect(server.exchanges.count == 1)
    }

    @Test("Of the events that have arrived, none is delivered after the scope was cancelled", arguments: [false, true])
    func cancelledBetweenEvents(isAll: Bool) async throws {
        let scope = FutureScope(), server = scripted(.events("id: 1\ndata: a\n\nid: 2\ndata: b\n\n"))
        var events = try source(server.bound(to: scope), clock).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        if isAll { scope.cancelAll() } else { scope.cancel() }
        await #expect(throws: CancellationError.self) { try await events.next() }
        #expect(events.lastEventID == "1" && server.exchanges.count == 1)
    }

    @Test("cancelAll() counts for a source whose observer calls it, even if the source doesn't wait")
    func cancelledByObserver() async throws {
        for delay in ["", "retry: 0\n"] {
            let scope = FutureScope(), server = scripted(.events("\(delay)data: a\n\n"), .events("data: b\n\n"))
            let source = try source(server.bound(to: scope), clock).onStateChange { [weak scope] state in
                if case .waiting = state { scope?.cancelAll() }
            }
            var events = source.makeAsyncIterator()
            #expect(try await events.next()?.data == "a")
            await #expect(throws: CancellationError.self) { try await events.next() }
            #expect(server.exchanges.count == 1)
        }
    }

    private func signedIn(_ key: Int? = 1) throws -> Authenticator<Int> {
        let origin = try #require(URL(string: "https://example.com/"))
        return Authenticator(key, for: origin) { request, key in
            request.setValue("\(key)", forHTTPHeaderField: "X-Key")
        } refresh: {
            $0 + 1
        }
    }

    @Test("A8 SESSION: after a sign-out no connection is made, not even for the next user", arguments: [false, true])
    func signedOut(isRetrying: Bool) async throws {
        let manual = ManualClock(), server = scripted(.events("id: 7\ndata: a\n\n")), session = try signedIn()
        let dispatcher = server.authenticated(by: session)
        let source = try source(isRetrying ? dispatcher.retrying() : dispatcher, manual)
        let reading = Awaiting(running: {
            for try await _ in source {}
            return "end"
        })
        await manual.sleepers()
        session.removeCredential()
        session.setCredential(2)
        manual.advance(by: .seconds(60))
        let error = AuthenticationError.credentialRemoved(origin: "https://example.com:443")
        #expect(await reading.ending == "error \(error)" && server.exchanges.count == 1)
    }

    @Test("A8 SESSION: a source without a credential is connected again after others sign in and out")
    func anonymous() async throws {
        let manual = ManualClock(), session = try signedIn(nil)
        let server = scripted(.events("data: a\n\n"), .events("data: b\n\n"), .events("data: c\n\n"))
        let source = try source(server.authenticated(by: session), manual)
        let reading = Awaiting(running: {
            for try await _ in source {}
            return "end"
        })
        for step in 0..<3 {
            await manual.sleepers()
            session.setCredential(step)
            if step != 1 { session.removeCredential() }
            manual.advance(by: .seconds(60))
        }
        // The third connection was that of a user.
        let error = AuthenticationError.credentialRemoved(origin: "https://example.com:443")
        #expect(await reading.ending == "error \(error)")
        #expect(server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "X-Key") } == [nil, nil, "1"])
    }

    @Test("A8 SESSION: with a new credential of the same user it is connected again")
    func replaced() async throws {
        let manual = ManualClock(), server = scripted(.events("data: a\n\n"), .number(204)), session = try signedIn()
        let source = try source(server.authenticated(by: session), manual)
        let reading = Awaiting(running: {
            for try await _ in source {}
            return "end"
        })
        await manual.sleepers()
        session.setCredential(2)
        manual.advance(by: .seconds(60))
        #expect(await reading.ending == "value end")
        #expect(server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "X-Key") } == ["1", "2"])
    }
}
