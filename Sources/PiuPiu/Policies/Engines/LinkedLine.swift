/// A line of elements, first come first served, from which one can step out in constant time, leaving nothing behind.
package struct LinkedLine<Element: Hashable & Sendable>: Sendable {
    private struct Link: Sendable {
        var previous: Element?
        var next: Element?
    }

    private var links: [Element: Link] = [:]
    private var last: Element?

    /// The one who has waited longest.
    package private(set) var first: Element?

    /// An empty line.
    package init() {}

    package var isEmpty: Bool { links.isEmpty }

    package var count: Int { links.count }

    /// Puts an element at the end; one that is there stays where it is.
    package mutating func append(_ element: Element) {
        guard links[element] == nil else { return }
        links[element] = Link(previous: last)
        if let last { links[last]?.next = element } else { first = element }
        last = element
    }

    /// Takes an element out; returns whether it was there.
    @discardableResult
    package mutating func remove(_ element: Element) -> Bool {
        guard let link = links.removeValue(forKey: element) else { return false }
        if let previous = link.previous { links[previous]?.next = link.next } else { first = link.next }
        if let next = link.next { links[next]?.previous = link.previous } else { last = link.previous }
        return true
    }

    /// Takes the first element.
    package mutating func popFirst() -> Element? {
        guard let first else { return nil }
        remove(first)
        return first
    }
}
