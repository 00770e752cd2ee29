/// A first-in, first-out queue; appending and removing take amortised constant time.
struct FirstInFirstOut<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var first = 0

    var isEmpty: Bool { first == elements.count }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
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

    mutating func removeAll() {
        elements = []
        first = 0
    }
}
