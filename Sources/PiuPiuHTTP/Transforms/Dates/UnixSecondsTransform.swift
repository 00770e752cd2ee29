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
    /// - Throws: `DecodingError.dataCorrupted` for an infinite number or NaN, which JSON itself doesn't have.
    public func from(json: Double, codingPath: [any CodingKey]) throws -> Date {
        guard json.isFinite else { throw DecodingError.unreadableTime(json, codingPath: codingPath) }
        return Date(timeIntervalSince1970: json)
    }

    /// The seconds from 1970 to the date, with their fraction.
    ///
    /// Of the numbers that are read as this date, it is the one with the fewest decimals. So a number with up to six
    /// decimals is written as it was read.
    ///
    /// - Throws: `EncodingError.invalidValue` for an infinite date.
    public func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> Double {
        let seconds = value.timeIntervalSince1970
        guard seconds.isFinite else {
            throw EncodingError.unwritableDate(
                value, codingPath: codingPath, reason: "The date is too far away for a number.")
        }
        return Self.shortest(seconds, of: value)
    }

    /// A `Date` counts from 2001, and its seconds from 1970 have an error in the seventh decimal.
    private static func shortest(_ seconds: Double, of date: Date) -> Double {
        let scales = [1, 10, 100, 1e3, 1e4, 1e5, 1e6]
        return scales.lazy.map { (seconds * $0).rounded() / $0 }.first { Date(timeIntervalSince1970: $0) == date }
            ?? seconds
    }
}
