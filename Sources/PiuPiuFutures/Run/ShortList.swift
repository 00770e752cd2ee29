/// A list that needs no allocation for its usual single element.
@usableFromInline
package struct ShortList<Element> {
    fileprivate enum Storage {
        case none
        case one(Element)
        case many([Element])
    }

    private var storage = Storage.none

    package init() {}

    package var isEmpty: Bool {
        if case .none = storage { true } else { false }
    }

    package mutating func append(_ element: Element) {
        switch storage {
        case .none:
            storage = .one(element)
        case .one(let first):
            storage = .many([first, element])
        case .many(var elements):
            storage = .none
            elements.append(element)
            storage = .many(elements)
        }
    }

    /// Takes out the first element for which `isWanted` is true; the others keep their order.
    package mutating func take(where isWanted: (Element) -> Bool) -> Element? {
        switch storage {
        case .one(let element) where isWanted(element):
            storage = .none
            return element
        case .many(var elements):
            guard let index = elements.firstIndex(where: isWanted) else { return nil }
            storage = .none
            defer { if !elements.isEmpty { storage = .many(elements) } }
            return elements.remove(at: index)
        case .none, .one:
            return nil
        }
    }

    package func forEach(_ body: (Element) -> Void) {
        switch storage {
        case .none: break
        case .one(let element): body(element)
        case .many(let elements): elements.forEach(body)
        }
    }
}

extension ShortList: Sendable where Element: Sendable {}

extension ShortList.Storage: Sendable where Element: Sendable {}
