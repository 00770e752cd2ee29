internal import Foundation

/// How long ``ResponseFuture/retry(_:on:delays:clock:_:)`` waits before it tries again.
///
/// ```swift
/// let delays: RetryDelays = [.seconds(1), .seconds(5)]
/// ```
public struct RetryDelays: Sendable, ExpressibleByArrayLiteral {
    private let delay: @Sendable (Int) -> Duration

    /// Delays that a closure knows.
    ///
    /// - Parameter delay: is asked in the background how long to wait after so many attempts have failed, 1 for the first.
    ///   A negative time counts as none.
    public init(_ delay: @escaping @Sendable (_ failedAttempts: Int) -> Duration) {
        self.delay = delay
    }

    /// These delays, in order; the last is used again and again, and without any there is no wait.
    public init(_ delays: some Sequence<Duration>) {
        let delays = Array(delays)
        self.init { delays.isEmpty ? .zero : delays[min($0, delays.count) - 1] }
    }

    /// These delays, in order; the last is used again and again.
    public init(arrayLiteral delays: Duration...) {
        self.init(delays)
    }

    /// No wait.
    public static let none: RetryDelays = []

    /// The same time before each attempt.
    public static func constant(_ delay: Duration) -> RetryDelays { [delay] }

    /// Each time so many times as long as the time before: a back-off.
    ///
    /// - Parameters:
    ///   - first: before the second attempt.
    ///   - factor: how many times as long each is; less than 1 counts as 1.
    ///   - maximum: no wait is longer.
    public static func exponential(
        from first: Duration, factor: Double = 2, upTo maximum: Duration
    ) -> RetryDelays {
        RetryDelays { failedAttempts in
            guard first > .zero else { return .zero }
            // In floating point, as that knows no overflow.
            let seconds = (first / .seconds(1)) * pow(max(factor, 1), Double(failedAttempts - 1))
            return seconds < maximum / .seconds(1) ? .seconds(seconds) : maximum
        }
    }

    /// How long to wait after so many attempts have failed.
    package func delay(after failedAttempts: Int) -> Duration {
        max(delay(max(failedAttempts, 1)), .zero)
    }
}
