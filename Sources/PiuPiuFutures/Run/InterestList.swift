/// The parties that are interested in a future, in the order in which they joined.
///
/// The first needs no allocation. Joining and leaving cost the same, however many there are.
package struct InterestList<Party: Sendable>: Sendable {
    /// Names one party.
    package typealias ID = FutureRun.InterestID

    private struct Entry: Sendable {
        var party: Party?
        let id: ID
    }

    private enum Storage: Sendable {
        case none
        case one(Entry)
        /// Ordered by their ascending names, which go on with 0 after the greatest; those that have left remain as gaps
        /// for a while.
        case many([Entry], gaps: UInt32)
    }

    private var storage = Storage.none
    private var lastID: ID

    /// - Parameter lastID: the name before that of the first party.
    package init(after lastID: ID = 0) {
        self.lastID = lastID
    }

    /// Whether no party is interested.
    package var isEmpty: Bool {
        switch storage {
        case .none: true
        case .one: false
        case .many(let entries, let gaps): Int(gaps) == entries.count
        }
    }

    /// The only party that has joined, if it has not left, or none; `nil` if there may be more.
    package var sole: Party?? {
        switch storage {
        case .none: .some(nil)
        case .one(let entry): .some(entry.party)
        case .many: nil
        }
    }

    /// Adds a party, and returns its name.
    package mutating func append(_ party: Party) -> ID {
        lastID &+= 1
        let entry = Entry(party: party, id: lastID)
        switch storage {
        case .none:
            storage = .one(entry)
        case .one(let first):
            storage = .many([first, entry], gaps: 0)
        case .many(var entries, let gaps):
            storage = .none
            entries.append(entry)
            storage = .many(entries, gaps: gaps)
        }
        return lastID
    }

    /// Replaces the party of this name, and returns it; `nil` if there is none.
    package mutating func replace(_ id: ID, with party: Party) -> Party? {
        switch storage {
        case .one(let entry) where entry.id == id:
            storage = .one(Entry(party: party, id: id))
            return entry.party
        case .many(var entries, let gaps):
            guard let index = Self.index(of: id, in: entries), let old = entries[index].party else { return nil }
            storage = .none
            entries[index].party = party
            storage = .many(entries, gaps: gaps)
            return old
        case .none, .one:
            return nil
        }
    }

    /// Takes out a party; `nil` if there is none of that name.
    package mutating func remove(_ id: ID) -> Party? {
        switch storage {
        case .one(let entry) where entry.id == id:
            storage = .none
            return entry.party
        case .many(var entries, var gaps):
            guard let index = Self.index(of: id, in: entries), let party = entries[index].party else { return nil }
            storage = .none
            entries[index].party = nil
            gaps += 1
            if Int(gaps) * 2 > entries.count {
                entries.removeAll { $0.party == nil }
                gaps = 0
            }
            if !entries.isEmpty { storage = .many(entries, gaps: gaps) }
            return party
        case .none, .one:
            return nil
        }
    }

    package func forEach(_ body: (Party) -> Void) {
        switch storage {
        case .none: break
        case .one(let entry): entry.party.map(body)
        case .many(let entries, _): for entry in entries { entry.party.map(body) }
        }
    }

    private static func index(of id: ID, in entries: [Entry]) -> Int? {
        guard let first = entries.first?.id else { return nil }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id &- first < id &- first { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].id == id ? low : nil
    }
}
