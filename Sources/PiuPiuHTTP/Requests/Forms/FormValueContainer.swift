/// Encodes a value as another one into a form.
struct FormValueContainer: SingleValueEncodingContainer {
    let encoder: FormEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws { encoder.node.take(FormNode()) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        encoder.node.take(try encoder.node(of: value))
    }

    // Without these two the standard library's own are called, which throw.
    mutating func encode(_ value: Int128) throws { encoder.node.take(try encoder.node(of: value)) }

    mutating func encode(_ value: UInt128) throws { encoder.node.take(try encoder.node(of: value)) }
}
