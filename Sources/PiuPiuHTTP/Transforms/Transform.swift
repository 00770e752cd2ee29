/// Turns values of the model into values to write to JSON, and back.
///
/// ```swift
/// struct FlagTransform: Transform {
///     func from(json: Int, codingPath: [any CodingKey]) throws -> Bool { json != 0 }
///     func toJSON(_ value: Bool, codingPath: [any CodingKey]) throws -> Int { value ? 1 : 0 }
/// }
/// ```
///
/// Use it with the `decode(using:forKey:)` and `encode(_:forKey:using:)` of a container, or, when it is a
/// ``ParameterlessTransform``, with ``Transformed``.
///
/// A transform is `Sendable` and runs wherever decoding does: where types belong to the main actor by default, declare
/// it `nonisolated`.
@preconcurrency
public protocol Transform: EncodingTransform, DecodingTransform {}
