import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a server does with one attempt.
private enum Move: CaseIterable {
    case ok, notFound, throttled, failed, notImplemented, unavailable, soon, late, timedOut, lost, redirects

    var answer: MockAnswer {
        switch self {
        case .ok: .number(200)
        case .notFound: .number(404)
        case .throttled: .number(429)
        case .failed: .number(500)
        case .notImplemented: .number(501)
        case .unavailable: .number(503)
        case .soon: .number(503, headers: ["Retry-After": "4"])
        case .late: .number(429, headers: ["Retry-After": "61"])
        case .timedOut: .broken(.timedOut)
        case .lost: .broken(.cannotConnect)
        case .redirects: .broken(.tooManyRedirects)
        }
    }

    /// How the exchange ends, if this attempt is the last.
    var ending: String {
        switch self {
        case .ok: "200"
        case .notFound: "404"
        case .throttled, .late: "429"
        case .failed: "500"
        case .notImplemented: "501"
        case .unavailable, .soon: "503"
        case .timedOut: "timedOut"
        case .lost: "cannotConnect"
        case .redirects: "tooManyRedirects"
        }
    }
}

/// The rules again, as plainly as possible.
private struct Model {
    var tokens = 500
    var sleeps: [Duration] = []

    /// How many attempts there are.
    mutating func attempts(_ moves: [Move], method: String, maximum: Int) -> Int {
        var lastCost = 1
        for attempt in 1... {
            let move = moves[min(attempt, moves.count) - 1]
            let isRetried =
                switch move {
                case .throttled, .failed, .unavailable, .soon, .timedOut: method == "GET"
                case .lost: true
                case .ok, .notFound, .notImplemented, .late, .redirects: false
                }
            let cost = move == .throttled ? 5 : 14
            guard isRetried, attempt < maximum, tokens >= cost else {
                if move == .ok || move == .notFound { tokens = min(500, tokens + lastCost) }
                return attempt
            }
            tokens -= cost
            lastCost = cost
            let isBusy = [.throttled, .unavailable, .soon].contains(move)
            let milliseconds = min(20_000, (isBusy ? 1000 : 50) << (attempt - 1)) / 2
            sleeps.append(.milliseconds(move == .soon ? max(milliseconds, 4000) + 200 : milliseconds))
        }
        return 0
    }
}

@Suite("Retries against a model", .timeLimit(.minutes(10)))
struct RetryModelTests {
    @Test(
        "R1 to R7: random exchanges, one at a time, match a plain model of the rules",
        arguments: [UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max))])
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed), model = Model()
        let clock = SkippingClock(), host = try url("https://example.com")
        var policy = RetryPolicy.fixed(clock)
        for number in 0..<1000 {
            // Bad times, which use up the budget, and good times.
            let isBad = number / 100 % 2 == 0
            let moves = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                isBad && Int.random(in: 0..<4, using: &random) > 0
                    ? Move.failed : Move.allCases.randomElement(using: &random) ?? .ok
            }
            let method = Int.random(in: 0..<4, using: &random) == 0 ? "POST" : "GET"
            policy.maximumAttempts = Int.random(in: 1...12, using: &random)
            let server = RecordingDispatcher(MockRouteTable(script: MockScript(moves.map(\.answer))))
            let ending = await server.retrying(policy).dataFuture(from: try request(method)).statusOrError
            let expected = model.attempts(moves, method: method, maximum: policy.maximumAttempts)
            let text: Comment = "seed \(seed), exchange \(number): \(moves)"
            #expect(server.exchanges.count == expected, text)
            #expect(ending == moves[min(expected, moves.count) - 1].ending, text)
            try #require(policy.budget?.tokens(for: host) == model.tokens, text)
        }
        #expect(clock.sleeps == model.sleeps, "seed \(seed)")
    }
}
