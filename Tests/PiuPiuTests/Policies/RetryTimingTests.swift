import PiuPiu
import Testing

@Suite("The wait before a retry", .timeLimit(.minutes(10)))
struct RetryTimingTests {
    private let timing = RetryTiming.standard

    private func wait(
        _ attempt: Int, throttled: Bool = false, retryAfter: Duration? = nil, random: Double = 0.5
    ) -> Duration? {
        timing.wait(afterAttempt: attempt, isThrottled: throttled, retryAfter: retryAfter, random: random)
    }

    @Test("R4 JITTER: a random part of 50 ms, doubled with each attempt up to 20 s")
    func backOff() {
        let milliseconds = [50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 20_000, 20_000]
        #expect(
            (1...11).map { timing.backOff(afterAttempt: $0, isThrottled: false) }
                == milliseconds.map { .milliseconds($0) })
        #expect((1...3).map { wait($0) } == [.milliseconds(25), .milliseconds(50), .milliseconds(100)])
        #expect(wait(1, random: 0) == .zero && wait(7, random: 0) == .zero)
        #expect(wait(3, random: 0.25) == .milliseconds(50))
    }

    @Test("R4 JITTER: starts at a second after a 429 or a 503")
    func throttled() {
        #expect(
            (1...6).map { timing.backOff(afterAttempt: $0, isThrottled: true) }
                == [1, 2, 4, 8, 16, 20].map { .seconds($0) })
    }

    @Test("R4 JITTER: capped before the jitter, not after it")
    func cap() {
        // 25.6 s × 0.5 would be below the cap.
        #expect(wait(10) == .seconds(10))
        #expect(wait(100, random: 0.25) == .seconds(5))
    }

    @Test("R4 JITTER: no number of attempts overflows", arguments: [64, 129, 1_000_000, .max])
    func saturates(attempt: Int) {
        #expect(wait(attempt) == .seconds(10))
        #expect(wait(attempt, throttled: true) == .seconds(10))
        var extreme = timing
        extreme.maximum = .seconds(Int64.max)
        extreme.base = .nanoseconds(1)
        #expect(
            extreme.wait(afterAttempt: attempt, isThrottled: false, retryAfter: nil, random: 0.5)
                ?? .zero > .seconds(1_000_000_000))
        extreme.base = .seconds(Int64.max)
        #expect(extreme.wait(afterAttempt: attempt, isThrottled: false, retryAfter: nil, random: 0) == .zero)
    }

    @Test("R4 JITTER: senseless times count as none", arguments: [0, -1, Int.min])
    func odd(number: Int) {
        #expect(timing.backOff(afterAttempt: number, isThrottled: false) == .milliseconds(50))
        var none = timing
        (none.base, none.throttledBase) = (.seconds(number), .zero)
        #expect(none.wait(afterAttempt: .max, isThrottled: false, retryAfter: nil, random: 0.5) == .zero)
        #expect(none.wait(afterAttempt: 3, isThrottled: true, retryAfter: nil, random: 0.5) == .zero)
        var negative = timing
        negative.maximum = .seconds(number)
        #expect(negative.wait(afterAttempt: 3, isThrottled: true, retryAfter: nil, random: 0.5) == .zero)
    }

    @Test("R5 RETRY-AFTER: it is the minimum, with up to a tenth or a second on top")
    func retryAfter() {
        #expect(wait(1, retryAfter: .seconds(2)) == .milliseconds(2100))
        #expect(wait(1, retryAfter: .seconds(30)) == .milliseconds(30_500))
        #expect(wait(1, retryAfter: .seconds(2), random: 0) == .seconds(2))
        // The back-off is longer.
        #expect(wait(100, retryAfter: .seconds(2)) == .milliseconds(10_100))
        #expect(wait(1, retryAfter: .zero) == .milliseconds(25))
        #expect(wait(1, retryAfter: .seconds(-5)) == .milliseconds(25))
        #expect(wait(1, retryAfter: .seconds(Int64.min), random: 0) == .zero)
    }

    @Test("R5 RETRY-AFTER: beyond a minute the response is delivered")
    func maximum() {
        #expect(wait(1, retryAfter: .seconds(60)) == .milliseconds(60_500))
        #expect(wait(1, retryAfter: .seconds(60) + .nanoseconds(1)) == nil)
        #expect(wait(1, retryAfter: RetryAfter.longest) == nil)
        var patient = timing
        patient.maximumRetryAfter = .seconds(Int64.max)
        #expect(
            patient.wait(afterAttempt: .max, isThrottled: true, retryAfter: RetryAfter.longest, random: 0.5)
                == RetryAfter.longest)
    }
}
