import Synchronization

/// Adds up what a known number of parties give, from any thread, and lets one wait until all have given.
final class Tally: Sendable {
    private let missing: Atomic<Int>
    private let sum = Atomic(0)
    private let awaiter = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(expecting count: Int) {
        missing = Atomic(count)
    }

    func add(_ value: Int) {
        sum.wrappingAdd(value, ordering: .relaxed)
        guard missing.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        awaiter.withLock { $0.take() }?.resume()
    }

    /// What all have given together.
    func total() async -> Int {
        await withCheckedContinuation { continuation in
            let isComplete = awaiter.withLock { awaiter in
                if missing.load(ordering: .acquiring) == 0 { return true }
                awaiter = continuation
                return false
            }
            if isComplete { continuation.resume() }
        }
        return sum.load(ordering: .relaxed)
    }
}
