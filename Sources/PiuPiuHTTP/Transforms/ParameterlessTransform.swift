/// A transform whose initialiser takes no arguments, so that its type alone determines what it does.
///
/// ``Transformed`` and ``TransformedIfPresent`` take such types. To use a transform with parameters, wrap it:
///
/// ```swift
/// struct DayTransform: Transform, ParameterlessTransform {
///     private static let dates = DateTransform(formatter: …)
///
///     func from(json: String, codingPath: [any CodingKey]) throws -> Date {
///         try Self.dates.from(json: json, codingPath: codingPath)
///     }
///
///     func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> String {
///         try Self.dates.toJSON(value, codingPath: codingPath)
///     }
/// }
/// ```
@preconcurrency
public protocol ParameterlessTransform: Sendable {
    /// Makes the transform.
    init()
}
