import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signs each request in its URL, differently each time.
private struct SigningQuery: DispatcherPolicy {
    private let count = Counter()

    func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        var request = exchange.urlRequest
        request.url?.append(queryItems: [URLQueryItem(name: "signature", value: "\(count.increment())")])
        return exchange.makeFuture(from: request)
    }
}

/// Policies around such a one and inside it have the same exchange.
@Suite("Policies that change the method or the URL", .timeLimit(.minutes(10)))
struct ChangedRequestTests {
    private let clock = ManualClock()

    private func policy(_ attempts: Int) -> RetryPolicy {
        var policy = RetryPolicy.fixed(SkippingClock())
        policy.maximumAttempts = attempts
        return policy
    }

    @Test(
        "A8 SESSION: a retry around it isn't sent after a sign-out, nor for the next user", arguments: [1, 2])
    func signOut(signatures: Int) async throws {
        let count = Counter()
        let server = KeyServer(accepting: 2) { _ in if count.increment() == 1 { throw TransferError(.connectionLost) } }
        let session = try keys(1), get = try request("GET")
        var dispatcher: any DataDispatcher = server.authenticated(by: session)
        for _ in 0..<signatures { dispatcher = dispatcher.applying(SigningQuery()) }
        let retrying: any DataDispatcher = dispatcher.retrying(.fixed(clock))
        let task = Task { await retrying.dataFuture(from: get).statusOrName }
        await clock.sleepers()
        session.removeCredential()
        session.setCredential(2)
        clock.advance(by: .seconds(1))
        #expect(await task.value == "credentialRemoved" && server.sent == ["1"])
        #expect(await retrying.dataFuture(from: get).statusOrName == "200", "another request")
    }

    @Test("An observation around it has every step and all bytes", arguments: RecordedExchange.Kind.allCases)
    func observed(kind: RecordedExchange.Kind) async throws {
        let observed = ObservedEvents(), engine = DirectedEngine(), folder = try TemporaryFolder()
        let dispatcher = URLRequestDispatcher(engine: engine).applying(SigningQuery()).observed(by: observed)
        let future = kind.text(of: try request("PUT"), by: dispatcher, in: folder)
        let task = Task { try await future.value }
        await engine.started(1)
        engine.answer(0, body: "text")
        _ = try await task.value
        #expect(await observed.ended() == ["started", "admitted", "head 200", "finished 200"])
        #expect(observed.summaries.first?.bytesReceived == 4)
    }

    @Test("R1 COUNT: of a retry inside it and one around it the inner one decides", arguments: [false, true])
    func nestedRetries(isAuthenticator: Bool) async throws {
        let server = scripted(.number(500)), inside = server.retrying(policy(2)), get = try request("GET")
        let session = Authenticator(1, for: try url("https://example.com"), clock: clock) { request, key in
            request.url?.append(queryItems: [URLQueryItem(name: "key", value: "\(key)")])
        } refresh: {
            $0
        }
        let changing: any DataDispatcher =
            isAuthenticator ? inside.authenticated(by: session) : inside.applying(SigningQuery())
        let response = try await changing.retrying(policy(5)).dataFuture(from: get).value
        #expect(server.exchanges.count == 2 && response.earlierAttempts.count == 1)
        #expect(server.exchanges.allSatisfy { $0.urlRequest.url != get.url })
    }

    @Test("R7 LAST: a deadline around it knows of the attempts inside")
    func history() async throws {
        let server = scripted(.number(503)), get = try request("GET")
        let dispatcher = server.retrying(.fixed(clock)).applying(SigningQuery()).deadline(.seconds(1), clock: clock)
        let task = Task { await dispatcher.dataFuture(from: get).result }
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        guard case .failure(let error as DeadlineExceeded) = await task.value else {
            Issue.record("it is in time")
            return
        }
        #expect(error.earlierAttempts.count == 1)
    }

    @Test("EARLY: a future of the changed request that is cancelled before its start sends nothing")
    func cancelledEarly() async throws {
        let server = scripted(.number(200))
        let future = server.applying(SigningQuery()).dataFuture(from: try request("GET"))
        future.cancel()
        #expect(await future.statusOrError == "cancelled" && server.exchanges.isEmpty)
    }
}
