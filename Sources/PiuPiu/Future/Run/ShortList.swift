/// A list that mostly has one element, for which it needs no allocation.
@usableFromInline
package struct ShortList<Element> {
    private var first: Element?
    private var others: [Element] = []

    package init() {}

    package var isEmpty: Bool { first == nil }

    package mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    /// Takes out the first element of which `isWanted` is true; the others keep their order.
    package mutating func take(where isWanted: (Element) -> Bool) -> Element? {
        if let first, isWanted(first) {
            self.first = others.isEmpty ? nil : others.removeFirst()
            return first
        }
        return others.firstIndex(where: isWanted).map { others.remove(at: $0) }
    }

    package func forEach(_ body: (Element) -> Void) {
        guard let first else { return }
        body(first)
        others.forEach(body)
    }
}

extension ShortList: Sendable where Element: Sendable {}
