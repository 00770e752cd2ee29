/// The updates that wait for a consumer: all of them, as long as it keeps up, and else the newest, and the last of each
/// step (contract rule TURN).
package struct UpdateLine: Sendable {
    /// How many may wait.
    package static let limit = 64

    private var updates: [TransferUpdate] = []

    var isEmpty: Bool { updates.isEmpty }

    /// Takes in an update; beyond the limit it takes the place of the oldest that is not the last of its step.
    mutating func append(_ update: TransferUpdate) {
        updates.append(update)
        guard updates.count > Self.limit else { return }
        let inStep = updates.indices.dropLast().first { updates[$0].isInStep(with: updates[$0 + 1]) }
        // Of steps that take turns so often the oldest goes, unless nothing of its stage comes later.
        let dispensable =
            inStep
            ?? updates.indices.first { index in
                updates[(index + 1)...].contains { $0.stage == updates[index].stage }
            }
        updates.remove(at: dispensable ?? 0)
    }

    mutating func popFirst() -> TransferUpdate? {
        updates.isEmpty ? nil : updates.removeFirst()
    }

    mutating func removeAll() {
        updates = []
    }
}
