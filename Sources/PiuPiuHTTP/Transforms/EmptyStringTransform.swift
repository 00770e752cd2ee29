/// Turns empty text into `nil`, both from JSON and to JSON.
///
/// ```swift
/// struct Profile: Codable {
///     @Transformed<EmptyStringTransform> var nickname: String?
/// }
/// ```
///
/// The empty text is written as `null`, which `decodeIfPresent` and ``Transformed`` read, and `decode` doesn't.
/// `encodeIfPresent` leaves the key out for `nil` only, not for the empty text.
///
/// `decodeIfPresent` returns a nested optional, which `?? nil` flattens:
///
/// ```swift
/// nickname = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .nickname) ?? nil
/// ```
public struct EmptyStringTransform: Transform, ParameterlessTransform {
    /// Makes the transform.
    public init() {}

    /// The text, or `nil` when it is empty.
    public func from(json: String, codingPath: [any CodingKey]) throws -> String? {
        json.isEmpty ? nil : json
    }

    /// The text, or `nil`, which is written as `null`, when it is empty or there is none.
    public func toJSON(_ value: String?, codingPath: [any CodingKey]) throws -> String? {
        value.flatMap { $0.isEmpty ? nil : $0 }
    }
}
