/// Results that wait for their turn, by their distance from the one that is due.
struct ResultWindow<Element: Sendable>: Sendable {
    /// A ring, whose length is a power of two.
    private var ring: [Element?] = []
    /// The index of the one that is due.
    private var head = 0

    /// Adds a result; 0 is the distance of the one that is due.
    mutating func insert(_ element: Element, at distance: Int) {
        if distance >= ring.count { grow(beyond: distance) }
        ring[index(at: distance)] = element
    }

    /// Takes out the one that is due, and goes on to the next; `nil` if it has not arrived.
    mutating func popFirst() -> Element? {
        guard !ring.isEmpty, let element = ring[head].take() else { return nil }
        head = index(at: 1)
        return element
    }

    /// Takes out all results.
    mutating func takeAll() -> [Element] {
        defer { self = Self() }
        return ring.compactMap(\.self)
    }

    /// Takes out the results that wait for one that has not arrived.
    mutating func takeOutOfOrder() -> [Element] {
        var due: [Element] = []
        while let element = popFirst() { due.append(element) }
        let others = takeAll()
        for (distance, element) in due.enumerated() { insert(element, at: distance) }
        return others
    }

    private func index(at distance: Int) -> Int { (head + distance) & (ring.count - 1) }

    private mutating func grow(beyond distance: Int) {
        var longer: [Element?] = Array(repeating: nil, count: max(8, ring.count))
        while longer.count <= distance { longer += Array(repeating: nil, count: longer.count) }
        for old in ring.indices { longer[old] = ring[index(at: old)] }
        ring = longer
        head = 0
    }
}
