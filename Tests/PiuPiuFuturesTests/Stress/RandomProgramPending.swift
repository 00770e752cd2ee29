import PiuPiuTesting
import TestSupport

/// Counts work in flight.
final class RandomProgramPending: Sendable {
    private let count = Watched(0)

    func add() { count.withLock { $0 += 1 } }

    func end() { count.withLock { $0 -= 1 } }

    /// Suspends until all that was added has ended.
    func ended() async { await count.wait { $0 == 0 } }
}
