import Synchronization

/// Adds up the values of a known number of parties, from any thread; one awaiter waits for them all.
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

    /// The sum of all values.
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
