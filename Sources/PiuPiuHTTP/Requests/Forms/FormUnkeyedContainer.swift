/// Encodes the elements of a value into a form.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: FormEncoder
    let elements: FormElements

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { elements.all.count }

    mutating func encodeNil() throws { elements.append(FormNode()) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        elements.append(try encoder.node(of: value, for: FormKey.index(count)))
    }

    // Without these two the standard library's own are called, which throw.
    mutating func encode(_ value: Int128) throws {
        elements.append(try encoder.node(of: value, for: FormKey.index(count)))
    }

    mutating func encode(_ value: UInt128) throws {
        elements.append(try encoder.node(of: value, for: FormKey.index(count)))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nested().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { nested() }

    private func nested() -> FormEncoder {
        let node = encoder.node.makeNestedNode(for: FormKey.index(count))
        elements.append(node)
        return encoder.nested(node)
    }
}
