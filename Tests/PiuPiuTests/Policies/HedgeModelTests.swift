import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How long one copy takes, and how it ends.
private struct Fate: Sendable {
    static let kinds = ["200", "404", "500", "429", "timedOut", "tooManyRedirects", "asks"]

    var latency: Duration
    var kind: String

    var answer: MockAnswer {
        switch kind {
        case "timedOut": .broken(.timedOut)
        case "tooManyRedirects": .broken(.tooManyRedirects)
        case "asks": .number(503, headers: ["Retry-After": "9"])
        default: .number(Int(kind) ?? 0)
        }
    }

    var isPassing: Bool { ["500", "429", "timedOut", "asks"].contains(kind) }
    var ending: String { kind == "asks" ? "503" : kind }
}

/// The rules again, as plainly as possible, one event at a time.
private struct Model {
    var tokens = 500
    var ending = ""
    /// The instants of the events, how many copies were sent and ended before each, and when the copies in flight and the
    /// delay wake up.
    var events: [(instant: Duration, sent: Int, ended: Int, sleepers: [Duration])] = []
    var sent = 0
    /// Whether the outcome depends on an order that a test can't see: the budget refused a copy after the delay, which
    /// nothing reports, and then a copy ended whose successor costs less.
    var isAmbiguous = false

    mutating func run(_ fates: [Fate], delay: Duration, maximum: Int) {
        var running: [(end: Duration, fate: Fate)] = [(fates[0].latency, fates[0])]
        var timer: Duration? = maximum > 1 ? delay : nil
        var mayGrow = maximum > 1
        var wasRefused = false
        sent = 1
        events = []
        isAmbiguous = false
        while true {
            let firstEnd = running.map(\.end).min() ?? .seconds(1 << 40)
            let instant = min(firstEnd, timer ?? firstEnd)
            let sleepers = (running.map(\.end) + [timer].compactMap(\.self)).sorted()
            events.append((instant, sent, sent - running.count, sleepers))
            var cost: Int?
            var failed: String?
            if instant == timer {
                (timer, cost) = (nil, mayGrow ? 14 : nil)
            } else {
                let place = running.firstIndex { $0.end == instant } ?? 0
                let fate = running.remove(at: place).fate
                guard fate.isPassing else {
                    if maximum > 1, ["200", "404"].contains(fate.kind) { tokens = min(500, tokens + 1) }
                    ending = fate.ending
                    return
                }
                failed = fate.ending
                if wasRefused, fate.kind == "429" { isAmbiguous = true }
                if fate.kind == "asks" { mayGrow = false }
                if mayGrow { cost = fate.kind == "429" ? 5 : 14 }
            }
            if let cost {
                if tokens >= cost {
                    tokens -= cost
                    running.append((instant + fates[sent].latency, fates[sent]))
                    sent += 1
                    mayGrow = sent < maximum
                    timer = mayGrow ? instant + delay : nil
                } else {
                    mayGrow = false
                    wasRefused = failed == nil
                }
            }
            if running.isEmpty, let failed {
                ending = failed
                return
            }
        }
    }
}

@Suite("Hedging against a model", .timeLimit(.minutes(10)))
struct HedgeModelTests {
    @Test(
        "HEDGE: random exchanges, one at a time, match a plain model of the rules",
        arguments: [UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max))])
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed), model = Model()
        let host = try url("https://example.com"), get = try request("GET")
        var policy = HedgePolicy(after: .zero)
        let budget = policy.budget
        for number in 0..<400 {
            let clock = ManualClock(), maximum = Int.random(in: 1...5, using: &random)
            // Bad times, which use up the budget, and good times.
            let kinds = number / 50 % 2 == 0 ? ["200", "500", "500", "429", "timedOut"] : Fate.kinds
            var fates = (0..<5).map { copy in
                // Different digits keep two events from coinciding.
                Fate(
                    latency: .milliseconds(Int.random(in: 1...40, using: &random) * 100)
                        + .microseconds([1, 10, 100, 1000, 10_000][copy]),
                    kind: kinds.randomElement(using: &random) ?? "200")
            }
            policy = HedgePolicy(after: .milliseconds(Int.random(in: 1...10, using: &random) * 100), clock: clock)
            policy.maximumCopies = maximum
            policy.budget = budget
            let before = model
            model.run(fates, delay: policy.delay, maximum: maximum)
            if model.isAmbiguous {
                fates = fates.map { $0.kind == "429" ? Fate(latency: $0.latency, kind: "500") : $0 }
                model = before
                model.run(fates, delay: policy.delay, maximum: maximum)
            }
            let text: Comment = "seed \(seed), exchange \(number): \(fates), \(policy)"
            let server = RecordingDispatcher(
                MockRouteTable(clock: clock, script: MockScript(fates.map { $0.answer.after($0.latency) })))
            let telling = Telling(base: server)
            let future = telling.hedged(policy).dataFuture(from: get)
            let task = Task { await future.statusOrError }
            for event in model.events {
                _ = try await server.sent(event.sent, within: nil)
                await telling.ended.wait(for: event.ended)
                await clock.sleepers(until: event.sleepers)
                clock.advance(by: event.instant - clock.now.offset)
            }
            #expect(await task.value == model.ending, text)
            #expect(server.exchanges.count == model.sent, text)
            try #require(budget?.tokens(for: host) == model.tokens, text)
        }
    }

    @Test("HEDGE: the decisions, one by one")
    func course() {
        var course = HedgeCourse(maximumCopies: 3)
        func end(_ facts: HedgeCourse.Facts, of maximumCopies: Int? = nil) -> HedgeCourse.Step {
            if let maximumCopies { course = HedgeCourse(maximumCopies: maximumCopies) }
            return course.end(facts)
        }
        #expect(course.mayGrow && course.delayPassed(canSendAgain: false) == .wait)
        #expect(course.delayPassed(canSendAgain: true) == .send(cost: 14))
        course.begin()
        #expect(end(.init(isPassing: true, status: .tooManyRequests)) == .send(cost: 5))
        let refused = course.refuse()
        #expect(refused == .wait && !course.mayGrow && course.delayPassed(canSendAgain: true) == .wait)
        #expect(end(.init(isPassing: true)) == .deliver(tokens: 0))
        #expect(end(.init(isPassing: true, isRetriedElsewhere: true), of: 2) == .deliver(tokens: 0))
        #expect(end(.init(isPassing: true, canSendAgain: false), of: 2) == .deliver(tokens: 0))
        #expect(end(.init(isPassing: true, isClosing: true), of: 2) == .deliver(tokens: 0))
        #expect(end(.init(isPassing: false, isSuccess: true), of: 2) == .deliver(tokens: 1))
        #expect(end(.init(isPassing: false), of: 2) == .deliver(tokens: 0))
        #expect(end(.init(isPassing: true), of: 1) == .deliver(tokens: 0) && !course.mayGrow)
    }
}
