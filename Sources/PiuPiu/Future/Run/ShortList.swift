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

    /// Changes the first element of which `isWanted` is true.
    ///
    /// - Returns: that element, changed; `nil` if there is none.
    package mutating func change(where isWanted: (Element) -> Bool, by change: (inout Element) -> Void) -> Element? {
        if var first, isWanted(first) {
            change(&first)
            self.first = first
            return first
        }
        guard let index = others.firstIndex(where: isWanted) else { return nil }
        change(&others[index])
        return others[index]
    }

    /// Releases the only element, if it is the only one.
    package mutating func dropOnly() {
        if others.isEmpty { first = nil }
    }

    package func forEach(_ body: (Element) -> Void) {
        guard let first else { return }
        body(first)
        others.forEach(body)
    }

    package func compactMap<Output>(_ transform: (Element) -> Output?) -> [Output] {
        var all: [Output] = []
        forEach { element in transform(element).map { all.append($0) } }
        return all
    }
}

extension ShortList: Sendable where Element: Sendable {}
