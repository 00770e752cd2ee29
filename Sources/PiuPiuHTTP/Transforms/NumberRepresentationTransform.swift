/// Turns a number of the JSON into text of the model, and back.
///
/// ```swift
/// struct Account: Codable {
///     // {"id": 42}
///     @Transformed<NumberRepresentationTransform<Int64>> var id: String
/// }
/// ```
///
/// It writes what it has read as the same number. Text that differs from Swift's notation of the number changes: "007"
/// is written as 7, and read back as "7".
public struct NumberRepresentationTransform<Number: Numeric & Codable & LosslessStringConvertible>: Transform,
    ParameterlessTransform
{
    /// Makes the transform.
    public init() {}

    /// The text of the number.
    public func from(json: Number, codingPath: [any CodingKey]) throws -> String {
        json.description
    }

    /// The number in the text.
    ///
    /// - Throws: `EncodingError.invalidValue` when the text isn't a number of that type.
    public func toJSON(_ value: String, codingPath: [any CodingKey]) throws -> Number {
        guard let number = Number(value) else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "\(value.quotedForErrors) is not the text of a number of type \(Number.self)."))
        }
        return number
    }
}
