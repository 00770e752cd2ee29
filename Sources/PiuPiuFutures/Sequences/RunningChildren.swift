/// The children of a sequence that have begun and not ended, by their offsets, which grow.
///
/// Not a dictionary: a sequence adds and removes one for each future.
struct RunningChildren<Child: Sendable>: Sendable {
    private enum State: Sendable {
        /// Its handle is not known yet.
        case begun
        case running(Child)
        case ended
    }

    private var entries: [(offset: Int, state: State)] = []
    private var endedCount = 0

    /// Adds a child; its offset is greater than all before.
    mutating func begin(_ offset: Int) {
        if endedCount >= 16, endedCount > entries.count / 2 {
            entries.removeAll { if case .ended = $0.state { true } else { false } }
            endedCount = 0
        }
        entries.append((offset, .begun))
    }

    /// Sets the handle of a child, unless it has ended.
    mutating func adopt(_ child: Child, at offset: Int) {
        if let index = index(of: offset) { entries[index].state = .running(child) }
    }

    /// Removes a child; false if it has ended before.
    mutating func end(_ offset: Int) -> Bool {
        guard let index = index(of: offset) else { return false }
        entries[index].state = .ended
        endedCount += 1
        return true
    }

    /// The handles that are known.
    var running: [Child] {
        entries.compactMap { if case .running(let child) = $0.state { child } else { nil } }
    }

    /// The same with their offsets.
    var places: [(offset: Int, child: Child)] {
        entries.compactMap { if case .running(let child) = $0.state { ($0.offset, child) } else { nil } }
    }

    /// Removes all children.
    ///
    /// - Returns: the handles that are known.
    mutating func takeAll() -> [Child] {
        defer { self = Self() }
        return running
    }

    /// The index of a child that has not ended.
    private func index(of offset: Int) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].offset == offset else { return nil }
        if case .ended = entries[low].state { return nil }
        return low
    }
}
