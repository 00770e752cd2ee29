/// The encoder that a type gets from a ``URLEncodedFormEncoder``.
struct FormEncoder: Encoder {
    let node: FormNode
    private let form: URLEncodedFormEncoder
    /// Whether the value is a dictionary, whose names aren't changed, but sorted: it has no order of its own.
    private let isForDictionary: Bool

    init(_ form: URLEncodedFormEncoder, node: FormNode = FormNode(), isForDictionary: Bool = false) {
        self.form = form
        self.node = node
        self.isForDictionary = isForDictionary
    }

    var codingPath: [any CodingKey] { node.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormKeyedContainer(encoder: self, members: node.members(areSorted: isForDictionary)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(encoder: self, elements: node.elements())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { FormValueContainer(encoder: self) }

    /// The name of a member.
    func name(of key: any CodingKey) -> String {
        isForDictionary ? key.stringValue : form.keys.name(of: key, at: codingPath)
    }

    /// An encoder for a value within this one, which can't throw.
    func nested(_ node: FormNode) -> FormEncoder { FormEncoder(form, node: node) }

    /// The node of a value within this one; without a key that of this one's single value.
    func node<Value: Encodable>(of value: Value, for key: (any CodingKey)? = nil) throws -> FormNode {
        let path = key.map { codingPath + [$0] } ?? codingPath
        guard node.depth < FormNode.maximumDepth else { throw EncodingError.unwritable(value, FormNode.tooDeep, path) }
        let node = FormNode(at: path, depth: node.depth + 1)
        if let primitive = value as? any FormPrimitive {
            node.set(try primitive.text(by: form, at: path))
        } else {
            let isForDictionary = value is any FormDictionary
            try value.encode(to: FormEncoder(form, node: node, isForDictionary: isForDictionary))
            if case .elements(let elements) = node.content {
                if isForDictionary { return try emptyNode(for: elements, of: value, at: node) }
                if value is any FormSet { elements.sort() }
            }
        }
        return node
    }

    /// The node of a dictionary that encodes itself as an array, of keys and values in turn and in random order.
    private func emptyNode<Value: Encodable>(
        for elements: FormElements, of value: Value, at node: FormNode
    ) throws -> FormNode {
        guard elements.all.isEmpty else { throw EncodingError.unwritable(value, Self.wrongKeys, node.codingPath) }
        return FormNode(at: node.codingPath, depth: node.depth)
    }

    private static let wrongKeys =
        "The keys of a dictionary must be String, Int or CodingKeyRepresentable to be names in a form"
}

/// A dictionary, whatever its types.
private protocol FormDictionary {}

extension Dictionary: FormDictionary {}

/// A set, whatever its type.
private protocol FormSet {}

extension Set: FormSet {}
