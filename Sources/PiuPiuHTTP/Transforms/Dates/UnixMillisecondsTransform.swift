public import Foundation

/// Turns the milliseconds since 1970 into dates and back.
///
/// ```swift
/// struct Message: Codable {
///     @Transformed<UnixMillisecondsTransform> var sent: Date
/// }
/// ```
///
/// Reads whole numbers and fractions, and writes the nearest whole number, as other languages do.
public struct UnixMillisecondsTransform: Transform, ParameterlessTransform {
    /// Makes the transform.
    public init() {}

    /// The date that many milliseconds after 1970.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for an infinite number or NaN, which JSON itself doesn't have.
    public func from(json: Double, codingPath: [any CodingKey]) throws -> Date {
        guard json.isFinite else { throw DecodingError.unreadableTime(json, codingPath: codingPath) }
        return Date(timeIntervalSince1970: json / 1000)
    }

    /// The whole milliseconds from 1970 to the date.
    ///
    /// - Throws: `EncodingError.invalidValue` for a date too distant for an `Int64`.
    public func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> Int64 {
        guard let milliseconds = Int64(exactly: (value.timeIntervalSince1970 * 1000).rounded()) else {
            throw EncodingError.unwritableDate(
                value, codingPath: codingPath, reason: "The date is too far away for a number.")
        }
        return milliseconds
    }
}
