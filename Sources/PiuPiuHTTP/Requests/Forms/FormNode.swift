/// A value of a form while it is encoded: containers fill it, in any order.
final class FormNode {
    enum Content {
        /// Nothing was encoded, or `nil`.
        case nothing
        case text(String)
        case members(FormMembers)
        case elements(FormElements)
        /// Something that a container can't throw when it is asked for it.
        case fault(String)
    }

    /// Far more than forms have, and few enough for the stack of any thread.
    static let maximumDepth = 128
    static let tooDeep = "A form can't have more than \(maximumDepth) values within each other"

    let codingPath: [any CodingKey]
    /// How many values this one is within. The path doesn't tell: a value in a single-value container adds no key.
    let depth: Int
    private(set) var content = Content.nothing

    init(at codingPath: [any CodingKey] = [], depth: Int = 0) {
        self.codingPath = codingPath
        self.depth = depth
    }

    /// Sets the text of a single value.
    func set(_ text: String) { content = .text(text) }

    /// Takes what a value in a single-value container has become. An earlier one is replaced.
    func take(_ other: FormNode) {
        switch (content, other.content) {
        case (.nothing, _), (.text, .text), (.text, .nothing): content = other.content
        case (.members(let members), .members(let others)): members.take(others)
        case (_, .nothing): break
        default: content = .fault(Self.mixed)
        }
    }

    /// The members of a keyed container; those that are there, if it is asked for once more.
    ///
    /// - Parameter areSorted: whether they are sorted by name.
    func members(areSorted: Bool) -> FormMembers {
        if case .members(let members) = content { return members }
        let members = FormMembers(areSorted: areSorted)
        begin(.members(members))
        return members
    }

    /// The elements of an unkeyed container; those that are there, if it is asked for once more.
    func elements() -> FormElements {
        if case .elements(let elements) = content { return elements }
        let elements = FormElements()
        begin(.elements(elements))
        return elements
    }

    /// A node for a value within this one, which a container fills that can't throw.
    func makeNestedNode(for key: any CodingKey) -> FormNode {
        guard depth < Self.maximumDepth else {
            // This also ends the reference to the nested nodes: a chain of any length is released one by one.
            content = .fault(Self.tooDeep)
            return FormNode(at: codingPath, depth: depth)
        }
        return FormNode(at: codingPath + [key], depth: depth + 1)
    }

    private func begin(_ new: Content) {
        if case .nothing = content { content = new } else { content = .fault(Self.mixed) }
    }

    private static let mixed = "The type encodes itself into containers of several kinds"
}

/// The values of a keyed container.
final class FormMembers {
    private var members: [(name: String, node: FormNode)] = []
    private var places: [String: Int] = [:]
    private let areSorted: Bool

    init(areSorted: Bool) {
        self.areSorted = areSorted
    }

    /// All of them, in order.
    var all: [(name: String, node: FormNode)] {
        areSorted ? members.sorted { $0.name < $1.name } : members
    }

    subscript(name: String) -> FormNode? { places[name].map { members[$0].node } }

    /// Sets a member, in the place of one with this name.
    func set(_ node: FormNode, named name: String) {
        if let place = places[name] {
            members[place].node = node
        } else {
            places[name] = members.count
            members.append((name, node))
        }
    }

    /// Takes the members of another container.
    func take(_ others: FormMembers) {
        for (name, node) in others.all { set(node, named: name) }
    }
}

/// The values of an unkeyed container.
final class FormElements {
    private(set) var all: [FormNode] = []

    func append(_ node: FormNode) { all.append(node) }

    /// Sorts single values by the bytes of their texts, and leaves others as they are.
    func sort() {
        var texts: [(text: String, node: FormNode)] = []
        for node in all {
            switch node.content {
            case .nothing: texts.append(("", node))
            case .text(let text): texts.append((text, node))
            case .members, .elements, .fault: return
            }
        }
        all = texts.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map(\.node)
    }
}
