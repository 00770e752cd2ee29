/// The updates that wait for a consumer: all of them while it keeps up; otherwise the newest, and the last of each step
/// of each transfer (contract rule TURN).
package struct UpdateLine: Sendable {
    /// How many updates of one transfer may wait. Many concurrent transfers may have more: the last update of a step is
    /// never dropped.
    package static let limit = 64

    private var updates: [TransferUpdate] = []
    /// The index of the first update that has not been taken out.
    private var first = 0
    /// How many may wait before they are thinned out. Grows with the number of transfers, so that the cost of an update
    /// stays the same.
    private var bound = limit

    package init() {}

    package var isEmpty: Bool { first == updates.count }

    /// Appends an update; beyond the limit it replaces the oldest that is not the last of its step, which names the
    /// same transfer. So no source is released here.
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
        // The caller has the last reference.
        updates[first].source = nil
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

    /// Removes all updates.
    ///
    /// - Returns: their ``TransferUpdate/foreignSource``s, for the caller to release.
    package mutating func removeAll() -> [any Sendable] {
        defer { self = UpdateLine() }
        return updates.compactMap { $0.foreignSource }
    }

    /// Drops the oldest update that is directly followed by another of its step. If there is none, drops the oldest
    /// that any later update of its step follows.
    private mutating func dropOne() {
        let oldest =
            updates.indices.dropLast().first { updates[$0].isInStep(with: updates[$0 + 1]) }
            ?? updates.indices.first { index in
                updates[(index + 1)...].contains { updates[index].isInStep(with: $0) }
            }
        if let oldest { updates.remove(at: oldest) }
    }

    /// Drops every update that a later one of its step follows.
    private mutating func thinOut() {
        var later: Set<TransferUpdate.Step> = []
        updates = updates.reversed().filter { later.insert($0.step).inserted }.reversed()
    }
}

extension TransferUpdate {
    /// The object that names the transfer, if its release may run any code: one that the reporter has chosen.
    var foreignSource: (any Sendable)? {
        guard let source, !(source is TransferSource), !(source is PromiseOrigin) else { return nil }
        return source
    }
}
