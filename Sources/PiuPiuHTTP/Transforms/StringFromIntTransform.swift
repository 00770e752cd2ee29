/// Turns a number into text, both from JSON and to JSON.
///
/// ```swift
/// // {"id": 42}
/// id = try container.decode(using: StringFromIntTransform(), forKey: .id)  // "42"
/// // {"id": "42"}
/// try container.encode(42, forKey: .id, using: StringFromIntTransform())
/// ```
///
/// It converts in the same direction both ways, as in PiuPiu 1.x, so it can't write back what it has read. For text of
/// the model that is a number in JSON, use ``NumberRepresentationTransform``; for a number of the model that is text in
/// JSON, ``StringRepresentationTransform``.
public struct StringFromIntTransform: Transform, ParameterlessTransform {
    /// Makes the transform.
    public init() {}

    /// The digits of the JSON's number.
    public func from(json: Int64, codingPath: [any CodingKey]) throws -> String {
        String(json)
    }

    /// The digits of the model's number.
    public func toJSON(_ value: Int64, codingPath: [any CodingKey]) throws -> String {
        String(value)
    }
}
