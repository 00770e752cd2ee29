/// A first-in, first-out queue of distinct elements, with removal of any element in constant time.
@usableFromInline
package struct LinkedLine<Element: Hashable & Sendable>: Sendable {
    @usableFromInline
    struct Link: Sendable {
        @usableFromInline var previous: Element?
        @usableFromInline var next: Element?

        @inlinable
        init(previous: Element?) {
            self.previous = previous
        }
    }

    @usableFromInline var links: [Element: Link] = [:]
    @usableFromInline var last: Element?

    /// The element that has waited longest.
    @usableFromInline package internal(set) var first: Element?

    /// Makes an empty queue.
    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { links.isEmpty }

    @inlinable
    package var count: Int { links.count }

    /// Appends an element; one that is in the queue keeps its place.
    @inlinable
    package mutating func append(_ element: Element) {
        guard links[element] == nil else { return }
        links[element] = Link(previous: last)
        if let last { links[last]?.next = element } else { first = element }
        last = element
    }

    /// Puts an element before all others; one that is in the queue keeps its place.
    @inlinable
    package mutating func prepend(_ element: Element) {
        guard links[element] == nil else { return }
        var link = Link(previous: nil)
        link.next = first
        links[element] = link
        if let first { links[first]?.previous = element } else { last = element }
        first = element
    }

    /// Removes an element; returns whether it was in the queue.
    @inlinable
    @discardableResult
    package mutating func remove(_ element: Element) -> Bool {
        guard let link = links.removeValue(forKey: element) else { return false }
        if let previous = link.previous { links[previous]?.next = link.next } else { first = link.next }
        if let next = link.next { links[next]?.previous = link.previous } else { last = link.previous }
        return true
    }

    /// Removes and returns the first element.
    @inlinable
    package mutating func popFirst() -> Element? {
        guard let first else { return nil }
        remove(first)
        return first
    }
}
