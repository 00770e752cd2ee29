/// The waits before further attempts (rules JITTER and RETRY-AFTER).
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

    /// The times that ``RetryPolicy`` documents.
    package static let standard = RetryTiming(
        base: .milliseconds(50), throttledBase: .seconds(1), maximum: .seconds(20), maximumRetryAfter: .seconds(60))

    /// The longest wait, about 68 years: a clock may not support later instants.
    private static let longest = RetryAfter.longest

    /// The wait after an attempt; `nil` if the server asks for more than the maximum.
    ///
    /// - Parameters:
    ///   - attempt: the number of the failed attempt, 1 for the first.
    ///   - isThrottled: whether the server has said that it is overloaded.
    ///   - retryAfter: the minimum wait that the server asks for.
    ///   - random: a random number, from 0 to below 1.
    package func wait(
        afterAttempt attempt: Int, isThrottled: Bool, retryAfter: Duration?, random: Double
    ) -> Duration? {
        let backOff = backOff(afterAttempt: attempt, isThrottled: isThrottled) * random
        // The error of a client's own type may have a negative time, which counts as zero.
        guard let retryAfter = retryAfter.map({ max($0, .zero) }) else { return min(backOff, Self.longest) }
        guard retryAfter <= maximumRetryAfter else { return nil }
        // Clients that got the same time must not all come back at once.
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
