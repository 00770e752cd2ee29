import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The attempts that an error lists", .timeLimit(.minutes(10)))
struct AttemptHistoryTests {
    private let clock = ManualClock()
    private let gate = Gate()

    /// Answers the first request with 502, and the others when the gate opens.
    private var server: MockRouteTable {
        let gate = gate, sent = Counter()
        return MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    if sent.increment() > 1 { try await gate.passUnlessCancelled() }
                    return Response.makeMockResponse(with: request, statusCode: .badGateway)
                })
        ])
    }

    private func error(of dispatcher: some DataDispatcher) async throws -> DeadlineExceeded? {
        let future = dispatcher.dataFuture(from: try request("GET"))
        let task = Task { try await future.value }
        await gate.reached()
        await clock.sleepers()
        clock.advance(by: .seconds(5))
        return await #expect(throws: DeadlineExceeded.self) { try await task.value }
    }

    @Test("R7 LAST: a deadline around retries reports the attempts that had ended")
    func deadlines() async throws {
        let retrying = server.retrying(.fixed(SkippingClock()))
        let error = try await error(of: retrying.deadline(.seconds(5), clock: clock))
        #expect(error?.earlierAttempts.map(\.description) == ["attempt 1: 502, the next after 0.025 seconds"])
    }

    @Test("R7 LAST: the outer of two deadlines reports the attempts inside the inner one too")
    func outerDeadline() async throws {
        let retrying = server.retrying(.fixed(SkippingClock()))
        let nested = retrying.deadline(.seconds(6), clock: ManualClock()).deadline(.seconds(5), clock: clock)
        #expect(try await error(of: nested)?.earlierAttempts.map(\.statusCode) == [.badGateway])
    }

    @Test("R7 LAST: attempts of another request, such as an adapter's, don't belong to the exchange")
    func otherRequests() async throws {
        let token = scripted(.number(503), .number(200)).retrying(.fixed(SkippingClock())), gate = gate
        let mock = MockRouteTable(routes: [
            MockRoute(
                MockAnswer { request, _ in
                    let other = try PiuPiuTests.request("GET", "https://example.com/token")
                    #expect(try await token.dataFuture(from: other).value.earlierAttempts.count == 1)
                    try await gate.passUnlessCancelled()
                    return Response.makeMockResponse(with: request, statusCode: .ok)
                })
        ])
        #expect(try await error(of: mock.deadline(.seconds(5), clock: clock))?.earlierAttempts.isEmpty == true)
    }

    @Test("R7 LAST: nor do those of an adapter, even with the same method and URL")
    func adapters() async throws {
        let login = scripted(.number(503), .number(200)), tokens = login.retrying(.fixed(SkippingClock()))
        let origin = CacheOrigin(gate: gate) { _, _ in .init() }
        let adapting = URLRequestDispatcher(engine: origin, requestAdapter: AskingAdapter(dispatcher: tokens))
        let error = try await error(of: adapting.deadline(.seconds(5), clock: clock))
        #expect(error?.earlierAttempts.isEmpty == true && login.exchanges.count == 2)
        gate.open()
    }

    @Test("R7 LAST, D3 NOTHING: an attempt with no time left reports the attempts before it")
    func noTime() async throws {
        let sleepy = SleepyClock(), retries = ManualClock(), get = try request("GET")
        let limited = scripted(.number(502)).retrying(.fixed(retries)).deadline(.seconds(5), clock: sleepy)
        let task = Task { try await limited.dataFuture(from: get).value }
        await retries.sleepers()
        sleepy.advance(by: .seconds(5))
        retries.advance(by: .seconds(1))
        let error = await #expect(throws: DeadlineExceeded.self) { try await task.value }
        #expect(error?.stage == .waiting && error?.earlierAttempts.map(\.statusCode) == [.badGateway])
    }

    @Test("R7 LAST: an error among the attempts has 4 KiB of its body; a decision and the last error have all of it")
    func longBodies() async throws {
        let body = Data("[1]".utf8) + Data(repeating: UInt8(ascii: " "), count: 9_997), decided = EventLog()
        var policy = RetryPolicy.fixed(SkippingClock())
        policy.decision = { _, attempt, isWanted in
            decided("\((attempt.error as? UnacceptableStatusError)?.body?.count ?? 0)")
            return isWanted
        }
        let server = scripted(.status(.badGateway, data: body)).validating().retrying(policy)
        let get = try request("GET")
        let last = try await #require(throws: UnacceptableStatusError.self) {
            _ = try await server.dataFuture(from: get).value
        }
        #expect(decided.events == ["10000", "10000", "10000"])
        #expect(try last.body == body && last.decode([Int].self) == [1] && last.earlierAttempts.count == 2)
        for attempt in last.earlierAttempts {
            let error = try #require(attempt.error as? UnacceptableStatusError)
            #expect(error.body == body.prefix(4096) && error.bodyLength == 10_000)
            #expect(error.statusCode == .badGateway && attempt.delay != nil)
            #expect(throws: ResponseDecodingError.self) { try error.decode([Int].self) }
        }
    }

    @Test("R7 LAST: a deadline of each attempt, a circuit and a full line report the attempts before them")
    func lastErrors() async throws {
        let get = try request("GET"), policy = RetryPolicy.fixed(SkippingClock())
        func earlier<E: AttemptError>(_ error: E) async throws -> [StatusCode?]? {
            let server = scripted(.number(500), .number(502), .failure(error)).retrying(policy)
            let thrown = await #expect(throws: E.self) { _ = try await server.dataFuture(from: get).value }
            return thrown?.earlierAttempts.map(\.statusCode)
        }
        let expected: [StatusCode?] = [.internalServerError, .badGateway]
        #expect(try await earlier(DeadlineExceeded(get, limit: .seconds(1), stage: .sending)) == expected)
        #expect(try await earlier(CircuitOpenError(retryAfter: .zero)) == expected)
        #expect(try await earlier(LineFullError(maximumWaiting: 7)) == expected)
        #expect(try await earlier(TransferError(.timedOut)) == expected)
    }
}
