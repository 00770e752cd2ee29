/// A first-in, first-out queue of distinct elements, with removal of any element in constant time.
package struct LinkedLine<Element: Hashable & Sendable>: Sendable {
    private struct Link: Sendable {
        var previous: Element?
        var next: Element?
    }

    private var links: [Element: Link] = [:]
    private var last: Element?

    /// The element that has waited longest.
    package private(set) var first: Element?

    /// Makes an empty queue.
    package init() {}

    package var isEmpty: Bool { links.isEmpty }

    package var count: Int { links.count }

    /// Appends an element; one that is in the queue keeps its place.
    package mutating func append(_ element: Element) {
        guard links[element] == nil else { return }
        links[element] = Link(previous: last)
        if let last { links[last]?.next = element } else { first = element }
        last = element
    }

    /// Removes an element; returns whether it was in the queue.
    @discardableResult
    package mutating func remove(_ element: Element) -> Bool {
        guard let link = links.removeValue(forKey: element) else { return false }
        if let previous = link.previous { links[previous]?.next = link.next } else { first = link.next }
        if let next = link.next { links[next]?.previous = link.previous } else { last = link.previous }
        return true
    }

    /// Removes and returns the first element.
    package mutating func popFirst() -> Element? {
        guard let first else { return nil }
        remove(first)
        return first
    }
}
