/// The parties that are interested in a future, in the order in which they joined.
///
/// The first needs no allocation. Joining and leaving cost the same, however many there are.
package struct InterestList<Party: Sendable>: Sendable {
    /// Names one party.
    package typealias ID = FutureRun.InterestID

    private struct Entry: Sendable {
        let id: ID
        var party: Party?
    }

    private var first: Entry?
    /// The parties after the first, ordered by their ascending names; those that have left remain as gaps for a while.
    private var others: [Entry] = []
    private var gaps: UInt32 = 0
    private var lastID: ID = 0

    package init() {}

    /// Whether no party is interested.
    package var isEmpty: Bool { first == nil && Int(gaps) == others.count }

    /// The only party that has joined, if it has not left, or none; `nil` if there may be more.
    package var sole: Party?? { others.isEmpty ? .some(first?.party) : nil }

    /// Adds a party, and returns its name.
    package mutating func append(_ party: Party) -> ID {
        lastID &+= 1
        let entry = Entry(id: lastID, party: party)
        if first == nil, others.isEmpty { first = entry } else { others.append(entry) }
        return lastID
    }

    /// Replaces the party of this name, and returns it; `nil` if there is none.
    package mutating func replace(_ id: ID, with party: Party) -> Party? {
        if first?.id == id {
            defer { first?.party = party }
            return first?.party
        }
        guard let index = index(of: id), let old = others[index].party else { return nil }
        others[index].party = party
        return old
    }

    /// Takes out a party; `nil` if there is none of that name.
    package mutating func remove(_ id: ID) -> Party? {
        if first?.id == id { return first.take()?.party }
        guard let index = index(of: id), let party = others[index].party.take() else { return nil }
        gaps += 1
        if Int(gaps) * 2 > others.count {
            others.removeAll { $0.party == nil }
            gaps = 0
        }
        return party
    }

    package func forEach(_ body: (Party) -> Void) {
        if let party = first?.party { body(party) }
        for entry in others { entry.party.map(body) }
    }

    private func index(of id: ID) -> Int? {
        var low = 0
        var high = others.count
        while low < high {
            let middle = (low + high) / 2
            if others[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < others.count && others[low].id == id ? low : nil
    }
}
