import Synchronization

/// Takes results out of `@Sendable` callbacks that all run on one thread; costs as much as a plain variable.
final class Sum: Sendable {
    private let storage = Atomic(0)

    var total: Int { storage.load(ordering: .relaxed) }

    func add(_ value: Int) {
        storage.store(storage.load(ordering: .relaxed) &+ value, ordering: .relaxed)
    }
}
