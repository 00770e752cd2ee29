/// Turns text of the JSON into a value with a lossless text form, such as a number, and back.
///
/// ```swift
/// struct Account: Codable {
///     // {"balance": "9007199254740993"}
///     @Transformed<StringRepresentationTransform<Int64>> var balance: Int64
/// }
/// ```
///
/// It reads what it has written as the same value. The value's own `init(_:)` reads the text: `Int` accepts "+7" and
/// "007", but neither " 7" nor "7.0".
public struct StringRepresentationTransform<Value: LosslessStringConvertible>: Transform, ParameterlessTransform {
    /// Makes the transform.
    public init() {}

    /// The value in the text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when the text isn't a value of that type.
    public func from(json: String, codingPath: [any CodingKey]) throws -> Value {
        // The initializer of `Character` can't fail: it ends the process if the text isn't one character.
        guard Value.self != Character.self || json.count == 1, let value = Value(json) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "\(json.quotedForErrors) is not the text of a value of type \(Value.self)."))
        }
        return value
    }

    /// The text of the value.
    public func toJSON(_ value: Value, codingPath: [any CodingKey]) throws -> String {
        value.description
    }
}
