import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The budget of retries", .timeLimit(.minutes(10)))
struct RetryBudgetTests {
    private let sent = Counter()

    /// A dispatcher without a network that answers this, and counts.
    private func server(_ status: StatusCode, _ policy: RetryPolicy) -> some DataDispatcher {
        MockURLRequestDispatcher { [sent] request in
            sent.increment()
            return Response.makeMockResponse(with: request, statusCode: status)
        }.retrying(policy)
    }

    @Test("R6 BUDGET: 500 tokens; if there are too few, none is taken")
    func tokens() {
        var tokens = RetryTokens()
        #expect(tokens.count == 500 && RetryTokens.cost == 14 && RetryTokens.throttledCost == 5)
        let taken = (0..<100).map { _ in tokens.take(14) }
        #expect(taken == Array(repeating: true, count: 35) + Array(repeating: false, count: 65))
        check(tokens.count, 10)
        check(tokens.take(5), true)
        check(tokens.take(5), true)
        check(tokens.take(5), false)
        check(tokens.count, 0)
        tokens.give(1)
        check(tokens.count, 1)
        tokens.give(600)
        check(tokens.count, 500)
        #expect(tokens.isFull)
    }

    @Test("R6 BUDGET: a success gives back what its last retry cost, or 1; a failure nothing")
    func refunds() {
        var course = RetryCourse(maximumAttempts: 9, timing: .standard)
        let success = RetryCourse.Facts(isWanted: false, isSuccess: true)
        let half = { 0.5 }
        check(course.next(after: success, random: half), .deliver(tokens: 1))
        check(course.next(after: RetryCourse.Facts(isWanted: false), random: half), .deliver(tokens: 0))
        course.begin(cost: 14)
        check(course.next(after: success, random: half), .deliver(tokens: 14))
        course.begin(cost: 5)
        check(course.next(after: success, random: half), .deliver(tokens: 5))
        check(course.next(after: RetryCourse.Facts(isWanted: false), random: half), .deliver(tokens: 0))
    }

    @Test("R6 BUDGET: a retry costs 14, after a 429 it costs 5")
    func costs() {
        let course = RetryCourse(maximumAttempts: 2, timing: .standard)
        func cost(_ status: StatusCode?) -> Int? {
            guard
                case .retry(_, let cost) = course.next(
                    after: RetryCourse.Facts(isWanted: true, status: status), random: { 0 })
            else { return nil }
            return cost
        }
        #expect(cost(.tooManyRequests) == 5)
        #expect(cost(nil) == 14 && cost(.serviceUnavailable) == 14 && cost(.internalServerError) == 14)
    }

    @Test(
        "R6 BUDGET: 10,000 requests to a server that fails everything cause at most 35 more",
        arguments: [StatusCode.internalServerError, .serviceUnavailable])
    func storm(status: StatusCode) async throws {
        let dispatcher = server(status, .fixed(SkippingClock())), request = try fixtureRequest()
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<10_000 {
                group.addTask { try await dispatcher.dataFuture(from: request).value.head.status }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses == [status.rawValue], "the outcome is delivered")
        #expect(sent.value == 10_035)
    }

    @Test("R6 BUDGET: a server that throttles everything gets 100 more, and without a budget two more for each")
    func throttled() async throws {
        let request = try fixtureRequest()
        let dispatcher = server(.tooManyRequests, .fixed(SkippingClock()))
        for _ in 0..<200 { _ = try await dispatcher.dataFuture(from: request).value }
        #expect(sent.value == 300)
        var unbounded = RetryPolicy.fixed(SkippingClock())
        unbounded.budget = nil
        let other = server(.tooManyRequests, unbounded)
        for _ in 0..<200 { _ = try await other.dataFuture(from: request).value }
        #expect(sent.value == 900)
    }

    @Test("R6 BUDGET: futures, dispatchers and copies of the policy share it, but not origins")
    func origins() async throws {
        let policy = RetryPolicy.fixed(SkippingClock()), budget = try #require(policy.budget)
        var copy = policy
        copy.maximumAttempts = 2
        let first = server(.badGateway, policy), second = server(.badGateway, copy)
        _ = try await first.dataFuture(from: fixtureRequest("https://example.com/a")).value
        #expect(budget.tokens(for: try url("https://example.com")) == 472)
        _ = try await second.dataFuture(from: fixtureRequest("https://EXAMPLE.com:443/b?c")).value
        #expect(budget.tokens(for: try url("https://example.com")) == 458)
        for other in ["http://example.com", "https://example.com:444", "https://example.org"] {
            #expect(budget.tokens(for: try url(other)) == 500)
        }
        #expect("\(budget)" == "RetryBudget(https://example.com:443: 458)")
        #expect(RetryPolicy.standard.budget?.tokens(for: try url("https://example.com")) == 500)
    }

    @Test("R6 BUDGET: it remembers a thousand origins, and the least recently used is full again")
    func manyOrigins() throws {
        let budget = RetryBudget()
        func take(_ cost: Int, _ number: Int) throws -> Bool { budget.take(cost, for: try url("https://h\(number)")) }
        func tokens(_ number: Int) throws -> Int { budget.tokens(for: try url("https://h\(number)")) }
        for number in 0..<OriginTokens.limit { check(try take(14, number), true) }
        check(try take(14, 0), true)
        check(try take(14, OriginTokens.limit), true)
        #expect(try tokens(0) == 472 && tokens(1) == 500 && tokens(2) == 486, "the first was used again")
        // An origin without missing tokens needs no place.
        budget.give(500, for: URL(string: "https://h2"))
        check(try take(14, OriginTokens.limit + 1), true)
        #expect(try tokens(3) == 486)
        for number in 0..<(OriginTokens.limit * 3) { check(try take(14, -number), true) }
        #expect("\(budget)".split(separator: ",").count == OriginTokens.limit)
    }

    @Test("R6 BUDGET: successes fill it up again, up to its limit")
    func recovery() async throws {
        let policy = RetryPolicy.fixed(SkippingClock()), budget = try #require(policy.budget)
        let host = try url("https://example.com")
        let answers: [MockAnswer] = [
            .number(500), .number(500), .number(500), .number(404), .number(500), .number(200),
        ]
        let server = RecordingDispatcher(MockRouteTable(script: MockScript(answers)))
        let dispatcher = server.retrying(policy), get = try request("GET")
        _ = await dispatcher.dataFuture(from: get).statusOrError
        #expect(budget.tokens(for: host) == 472)
        // A 404 comes from a working server.
        _ = await dispatcher.dataFuture(from: get).statusOrError
        #expect(budget.tokens(for: host) == 473)
        _ = await dispatcher.dataFuture(from: get).statusOrError
        #expect(budget.tokens(for: host) == 473, "14 taken, 14 given")
        for _ in 0..<30 { _ = await dispatcher.dataFuture(from: get).statusOrError }
        #expect(budget.tokens(for: host) == 500)
        #expect("\(budget)" == "RetryBudget()", "nothing is kept for a working origin")
    }

    @Test("R6 BUDGET: failures that aren't retried take nothing, and give nothing")
    func unretried() async throws {
        let policy = RetryPolicy.fixed(SkippingClock()), budget = try #require(policy.budget)
        let host = try url("https://example.com"), post = try request("POST"), get = try request("GET")
        check(budget.take(100, for: host), true)
        for answer in [MockAnswer.number(500), .number(503), .number(501), .broken(.timedOut), .failure(Mishap())] {
            _ = await scripted(answer).retrying(policy).dataFuture(from: post).statusOrError
        }
        _ = await scripted(.number(505)).retrying(policy).dataFuture(from: get).statusOrError
        #expect(budget.tokens(for: host) == 400)
        _ = await scripted(.number(201)).retrying(policy).dataFuture(from: post).statusOrError
        #expect(budget.tokens(for: host) == 401)
    }
}
