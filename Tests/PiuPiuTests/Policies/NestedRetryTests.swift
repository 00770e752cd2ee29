import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A wrapper as a user might write it, which awaits.
private struct AwaitingWrapper: DataDispatcher {
    let base: any DataDispatcher
    var before: @Sendable () async throws -> Void = {}

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        ResponseFuture {
            try await before()
            return try await base.dataFuture(from: urlRequest).value
        }
    }
}

/// A wrapper of futures.
private struct ChainingWrapper: DataDispatcher {
    let base: any DataDispatcher

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        base.dataFuture(from: urlRequest).then { $0 }
    }
}

@Suite("Nested retries", .timeLimit(.minutes(10)))
struct NestedRetryTests {
    private let clock = SkippingClock()

    private func policy(_ attempts: Int) -> RetryPolicy {
        var policy = RetryPolicy.fixed(clock)
        policy.maximumAttempts = attempts
        return policy
    }

    @Test("R1 COUNT: the innermost policy decides", arguments: [(2, 5), (5, 2), (1, 9)])
    func innermost(inner: Int, outer: Int) async throws {
        let server = scripted(.number(500)), (low, high) = (policy(inner), policy(outer)), get = try request("GET")
        let response = try await server.retrying(low).retrying(high).dataFuture(from: get).value
        #expect(server.exchanges.count == inner && response.earlierAttempts.count == inner - 1)
        let host = try url("https://example.com")
        #expect(high.budget?.tokens(for: host) == 500)
        _ = try await server.retrying(policy(inner)).retrying(policy(4)).retrying(policy(outer)).dataFuture(from: get)
            .value
        #expect(server.exchanges.count == inner * 2)
    }

    @Test("R1 COUNT: the innermost policy decides through recorders, mocks and a user's own wrappers, too")
    func throughWrappers() async throws {
        let server = scripted(.broken(.timedOut)), get = try request("GET")
        let inside = server.retrying(policy(2))
        let mock = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    try await inside.dataFuture(from: request).value
                })
        ])
        let wrappers: [any DataDispatcher] = [
            RecordingDispatcher(inside), AwaitingWrapper(base: inside), ChainingWrapper(base: inside), mock,
        ]
        for wrapper in wrappers {
            let before = server.exchanges.count
            #expect(await wrapper.retrying(policy(7)).dataFuture(from: get).statusOrError == "timedOut")
            #expect(server.exchanges.count == before + 2, "\(wrapper)")
        }
    }

    @Test("R1 COUNT: a retry inside decides even in a copy that a deadline has ended")
    func endedCopy() async throws {
        let server = Waiting(), manual = ManualClock()
        let inside = server.dispatcher.retrying(policy(2)).hedged(HedgePolicy(after: .seconds(10), clock: manual))
        let future = inside.deadline(.seconds(5), clock: manual).retrying(policy(7)).dataFuture(
            from: try request("GET"))
        let task = Task { await future.statusOrStage }
        await server.gate.reached()
        await manual.sleepers()
        manual.advance(by: .seconds(5))
        #expect(await task.value == "5.0 seconds connecting" && server.sent.value == 1)
    }

    @Test("R1 COUNT: other requests, as for a token, have attempts of their own, and change nothing")
    func otherRequests() async throws {
        let server = scripted(.number(500)), token = scripted(.number(503))
        let tokens = token.retrying(policy(2)), ask = try request("GET", "https://example.com/token")
        let wrapper = AwaitingWrapper(base: server) { _ = try await tokens.dataFuture(from: ask).value }
        _ = try await wrapper.retrying(policy(3)).dataFuture(from: request("GET")).value
        #expect(server.exchanges.count == 3 && token.exchanges.count == 6)
    }

    @Test(
        "R1 COUNT: an adapter's requests have attempts of their own, even with the same method and URL",
        arguments: RecordedExchange.Kind.allCases)
    func adapters(kind: RecordedExchange.Kind) async throws {
        let folder = try TemporaryFolder(), put = try request("PUT"), login = scripted(.number(503))
        let tokens = login.retrying(policy(2)), asking = AskingAdapter(dispatcher: tokens)
        let origin = CacheOrigin { _, number in number == 1 ? .init(status: 503) : .init(body: "text") }
        let adapting = URLRequestDispatcher(engine: origin, requestAdapter: asking, responseAdapter: asking)
        let dispatcher = adapting.retrying(policy(3))
        #expect(try await kind.text(of: put, by: dispatcher, in: folder).value == "text")
        #expect(origin.count == 2 && login.exchanges.count == 8)
    }
}
