/// The updates that wait for a consumer: all of them, as long as it keeps up, and else the newest, and the last of each
/// step of each transfer (contract rule TURN).
package struct UpdateLine: Sendable {
    /// How many may wait, where they are of one transfer. Of many transfers at once there may be more: what is the last
    /// of its step is not dropped.
    package static let limit = 64

    private var updates: [TransferUpdate] = []
    /// Where the first stands that has not been taken out.
    private var first = 0
    /// How many may wait before they are thinned out; grows with the number of transfers, so that an update costs the
    /// same however many there are.
    private var bound = limit

    package init() {}

    package var isEmpty: Bool { first == updates.count }

    /// Takes in an update; beyond the limit it takes the place of the oldest that is not the last of its step.
    package mutating func append(_ update: TransferUpdate) {
        updates.append(update)
        guard updates.count - first > bound else { return }
        updates.removeFirst(first)
        first = 0
        if bound > Self.limit { thinOut() } else { dropOne() }
        bound = max(Self.limit, updates.count > Self.limit ? updates.count * 2 : 0)
    }

    package mutating func popFirst() -> TransferUpdate? {
        guard first < updates.count else { return nil }
        let update = updates[first]
        first += 1
        if first == updates.count {
            updates.removeAll(keepingCapacity: first <= Self.limit)
            first = 0
            bound = Self.limit
        } else if first > Self.limit, first * 2 > updates.count {
            updates.removeFirst(first)
            first = 0
        }
        return update
    }

    package mutating func removeAll() {
        self = UpdateLine()
    }

    /// Drops the oldest that is followed by another of its step. Of steps that take turns so often the oldest goes,
    /// unless nothing of its stage comes later.
    private mutating func dropOne() {
        let oldest =
            updates.indices.dropLast().first { updates[$0].isInStep(with: updates[$0 + 1]) }
            ?? updates.indices.first { index in
                updates[(index + 1)...].contains { updates[index].isInStep(with: $0) }
            }
        if let oldest { updates.remove(at: oldest) }
    }

    /// Drops all that are followed by another of their step.
    private mutating func thinOut() {
        var later: Set<TransferUpdate.Step> = []
        updates = updates.reversed().filter { later.insert($0.step).inserted }.reversed()
    }
}
