internal import Foundation

/// How long ``ResponseFuture/retry(_:on:delays:clock:_:)`` waits before it tries again.
///
/// ```swift
/// let delays: RetryDelays = [.seconds(1), .seconds(5)]
/// ```
public struct RetryDelays: Sendable, ExpressibleByArrayLiteral {
    private let delay: @Sendable (Int) -> Duration

    /// Delays that a closure computes.
    ///
    /// - Parameter delay: returns how long to wait after this many failed attempts, at least 1. It is called in the
    ///   background. A negative time counts as zero.
    public init(_ delay: @escaping @Sendable (_ failedAttempts: Int) -> Duration) {
        self.delay = delay
    }

    /// These delays, in order; the last one is repeated. Without any there is no wait.
    public init(_ delays: some Sequence<Duration>) {
        let delays = Array(delays)
        self.init { delays.isEmpty ? .zero : delays[min($0, delays.count) - 1] }
    }

    /// These delays, in order; the last one is repeated.
    public init(arrayLiteral delays: Duration...) {
        self.init(delays)
    }

    /// No wait.
    public static let none: RetryDelays = []

    /// The same time before each attempt.
    public static func constant(_ delay: Duration) -> RetryDelays { [delay] }

    /// An exponential back-off: each delay is the previous one times a factor.
    ///
    /// - Parameters:
    ///   - first: the delay before the second attempt.
    ///   - factor: the factor; less than 1 counts as 1.
    ///   - maximum: the longest delay.
    public static func exponential(
        from first: Duration, factor: Double = 2, upTo maximum: Duration
    ) -> RetryDelays {
        RetryDelays { failedAttempts in
            guard first > .zero else { return .zero }
            // In floating point, which doesn't overflow.
            let seconds = (first / .seconds(1)) * pow(max(factor, 1), Double(failedAttempts - 1))
            return seconds < maximum / .seconds(1) ? .seconds(seconds) : maximum
        }
    }

    /// How long to wait after this many failed attempts.
    package func delay(after failedAttempts: Int) -> Duration {
        max(delay(max(failedAttempts, 1)), .zero)
    }
}
