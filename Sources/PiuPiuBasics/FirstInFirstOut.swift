/// A first-in, first-out queue; appending and removing take amortised constant time.
@usableFromInline
package struct FirstInFirstOut<Element: Sendable>: Sendable {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var first = 0

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { first == elements.count }

    @inlinable
    package var count: Int { elements.count - first }

    @inlinable
    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        defer {
            first += 1
            if first == elements.count {
                elements.removeAll(keepingCapacity: elements.count < 64)
                first = 0
            } else if first > 64, first * 2 > elements.count {
                elements.removeFirst(first)
                first = 0
            }
        }
        return elements[first].take()
    }

    @inlinable
    package mutating func removeAll() {
        elements = []
        first = 0
    }

    /// Removes the elements for which `isUnwanted` is true; the others keep their order.
    @inlinable
    package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
        elements.removeAll { $0.map(isUnwanted) ?? true }
        first = 0
    }
}
