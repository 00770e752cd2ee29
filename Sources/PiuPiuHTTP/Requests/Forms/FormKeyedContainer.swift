/// Encodes the members of a value into a form.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FormEncoder
    let members: FormMembers

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws { members.set(FormNode(), named: encoder.name(of: key)) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        members.set(try encoder.node(of: value, for: key), named: encoder.name(of: key))
    }

    // Without these two the standard library's own are called, which throw.
    mutating func encode(_ value: Int128, forKey key: Key) throws {
        members.set(try encoder.node(of: value, for: key), named: encoder.name(of: key))
    }

    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        members.set(try encoder.node(of: value, for: key), named: encoder.name(of: key))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(for: key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(for: key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested(for: FormKey.super) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { nested(for: key) }

    /// The encoder for a member, which may be there.
    private func nested(for key: any CodingKey) -> FormEncoder {
        let name = encoder.name(of: key)
        if let node = members[name] { return encoder.nested(node) }
        let node = encoder.node.makeNestedNode(for: key)
        members.set(node, named: name)
        return encoder.nested(node)
    }
}
