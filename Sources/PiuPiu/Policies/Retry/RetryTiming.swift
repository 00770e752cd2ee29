/// How long is waited before another attempt (rules JITTER and RETRY-AFTER).
package struct RetryTiming: Sendable {
    package var base: Duration
    package var throttledBase: Duration
    package var maximum: Duration
    package var maximumRetryAfter: Duration

    package init(base: Duration, throttledBase: Duration, maximum: Duration, maximumRetryAfter: Duration) {
        self.base = base
        self.throttledBase = throttledBase
        self.maximum = maximum
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// Those that ``RetryPolicy`` documents.
    package static let standard = RetryTiming(
        base: .milliseconds(50), throttledBase: .seconds(1), maximum: .seconds(20), maximumRetryAfter: .seconds(60))

    /// No wait is longer, as no clock has to be able to tell later instants: some 68 years.
    private static let longest = RetryAfter.longest

    /// The wait after an attempt; `nil` if the server wants a longer one than anybody would wait.
    ///
    /// - Parameters:
    ///   - attempt: the number of the attempt that was in vain, 1 for the first.
    ///   - isThrottled: whether the server has said that it has too much to do.
    ///   - retryAfter: what the server asks for at the least.
    ///   - random: a random number, from 0 to below 1.
    package func wait(
        afterAttempt attempt: Int, isThrottled: Bool, retryAfter: Duration?, random: Double
    ) -> Duration? {
        let backOff = backOff(afterAttempt: attempt, isThrottled: isThrottled) * random
        guard let retryAfter else { return min(backOff, Self.longest) }
        guard retryAfter <= maximumRetryAfter else { return nil }
        // Those that got the same time shall not all come back at once.
        let spread = min(.seconds(1), retryAfter / 10) * random
        return min(max(retryAfter, backOff) + spread, Self.longest)
    }

    /// The back-off without its jitter: the base, doubled with each attempt, up to the maximum.
    package func backOff(afterAttempt attempt: Int, isThrottled: Bool) -> Duration {
        let maximum = min(max(maximum, .zero), Self.longest)
        var delay = max(isThrottled ? throttledBase : base, .zero)
        guard delay > .zero else { return .zero }
        var doublings = max(attempt, 1) - 1
        while doublings > 0, delay < maximum {
            delay += delay
            doublings -= 1
        }
        return min(delay, maximum)
    }
}
