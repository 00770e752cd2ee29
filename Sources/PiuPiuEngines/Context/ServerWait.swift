/// A wait that a server asks for by `Retry-After`, measured from now on (rule RETRY-AFTER).
package struct ServerWait: Sendable {
    private let duration: Duration
    private let stopwatch: Stopwatch

    /// - Parameter clock: that of the policy which has got the answer.
    package init(_ duration: Duration, by clock: any Clock<Duration>) {
        self.duration = duration
        stopwatch = Stopwatch(clock)
    }

    /// How much of it is left; zero once it is over.
    fileprivate var rest: Duration { max(duration - stopwatch.elapsed, .zero) }
}

/// The waits that servers ask for in one exchange, in any of its copies.
final class ServerWaits: Sendable {
    private let waits = Locked<[ServerWait]>([])

    func add(_ wait: ServerWait) {
        waits.withLock { $0.append(wait) }
    }

    func removeAll() {
        waits.release { exchange(&$0, with: []) }
    }

    /// How much is left of the longest; `nil` if there is none.
    var rest: Duration? {
        // Not under the lock, as it reads a clock of the user's.
        waits.withLock { $0 }.map(\.rest).max()
    }
}
