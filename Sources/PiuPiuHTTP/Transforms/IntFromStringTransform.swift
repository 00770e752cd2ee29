/// Turns text into a number, both from JSON and to JSON.
///
/// ```swift
/// // {"seats": "42"}
/// seats = try container.decode(using: IntFromStringTransform(), forKey: .seats)  // Int64(42)
/// // {"seats": 42}
/// try container.encode("42", forKey: .seats, using: IntFromStringTransform())
/// ```
///
/// It converts in the same direction both ways, as in PiuPiu 1.x, so it can't write back what it has read. For a number
/// of the model that is text in JSON, use ``StringRepresentationTransform``; for text of the model that is a number in
/// JSON, ``NumberRepresentationTransform``.
public struct IntFromStringTransform: Transform, ParameterlessTransform {
    /// Makes the transform.
    public init() {}

    /// The number in the text of the JSON.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when it isn't a whole number that an `Int64` can hold.
    public func from(json: String, codingPath: [any CodingKey]) throws -> Int64 {
        try StringRepresentationTransform<Int64>().from(json: json, codingPath: codingPath)
    }

    /// The number in the text of the model.
    ///
    /// - Throws: `EncodingError.invalidValue` when it isn't a whole number that an `Int64` can hold.
    public func toJSON(_ value: String, codingPath: [any CodingKey]) throws -> Int64 {
        try NumberRepresentationTransform<Int64>().toJSON(value, codingPath: codingPath)
    }
}
