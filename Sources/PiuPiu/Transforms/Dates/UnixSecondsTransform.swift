public import Foundation

/// Turns the seconds since 1970, a number with or without a fraction, into dates and back.
///
/// ```swift
/// struct Message: Codable {
///     @Transformed<UnixSecondsTransform> var sent: Date
/// }
/// ```
public struct UnixSecondsTransform: Transform, ParameterlessTransform {
    /// Makes the transform.
    public init() {}

    /// The date that many seconds after 1970.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for an infinite number or none, which JSON itself doesn't have.
    public func from(json: Double, codingPath: [any CodingKey]) throws -> Date {
        guard json.isFinite else { throw DecodingError.unreadableTime(json, codingPath: codingPath) }
        return Date(timeIntervalSince1970: json)
    }

    /// The seconds from 1970 to the date, with their fraction.
    ///
    /// - Throws: `EncodingError.invalidValue` for an infinite date.
    public func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> Double {
        let seconds = value.timeIntervalSince1970
        guard seconds.isFinite else {
            throw EncodingError.unwritableDate(
                value, codingPath: codingPath, reason: "The date is too far away for a number.")
        }
        return seconds
    }
}
