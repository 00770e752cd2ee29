/// Turns a number of the JSON into text of the model, and back.
///
/// ```swift
/// struct Account: Codable {
///     // {"id": 42}
///     @Transformed<NumberRepresentationTransform<Int64>> var id: String
/// }
/// ```
///
/// What it has read it writes as the same number. Text that isn't written as Swift writes the number changes on the
/// way: "007" arrives as 7, and is "7" when it is read.
public struct NumberRepresentationTransform<Number: Numeric & Codable & LosslessStringConvertible>: Transform,
    ParameterlessTransform
{
    /// Makes the transform.
    public init() {}

    /// The text of the number.
    public func from(json: Number, codingPath: [any CodingKey]) throws -> String {
        json.description
    }

    /// The number that the text tells.
    ///
    /// - Throws: `EncodingError.invalidValue` when it tells none of that type.
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
