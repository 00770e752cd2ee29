public import Foundation

/// Turns text of RFC 3339, the internet's profile of ISO 8601, into dates and back.
///
/// ```swift
/// struct Event: Codable {
///     @Transformed<RFC3339DateTransform> var start: Date
/// }
/// ```
///
/// Reads `2018-05-01T09:30:00Z`, `2018-05-01T11:30:00.125+02:00` and similar forms: any number of decimals after a
/// point or a comma; a lower-case `t` or `z`, or a space for the `T`; the offset as `Z`, `+02:00`, `+0200` or `+02`; a
/// leap second, read as the second after it. Days are those of the Gregorian calendar, also before 1582; a day that
/// doesn't exist, such as February 30, is an error.
///
/// Writes `2018-05-01T09:30:00.125Z`: always in UTC, with the number of decimals given to the initialiser.
public struct RFC3339DateTransform: Transform, ParameterlessTransform {
    private let format: RFC3339Format

    /// Makes a transform that writes milliseconds.
    public init() {
        self.init(fractionalDigits: 3)
    }

    /// Makes a transform that writes the given number of decimals of the second.
    ///
    /// - Parameter fractionalDigits: 0 to 9; other values are clamped. Zero drops the fraction, as Foundation's
    ///   formatters do; others round to nearest. Nine decimals keep every present-day date exactly.
    public init(fractionalDigits: Int) {
        format = RFC3339Format(fractionalDigits: fractionalDigits)
    }

    /// The date in the text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when it isn't one of RFC 3339.
    public func from(json: String, codingPath: [any CodingKey]) throws -> Date {
        guard let date = RFC3339Format.date(from: json) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "\(json.quotedForErrors) is not an RFC 3339 date, such as 2018-05-01T09:30:00Z."))
        }
        return date
    }

    /// The text of the date.
    ///
    /// - Throws: `EncodingError.invalidValue` for a date that isn't within the years 0 to 9999.
    public func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> String {
        guard let text = format.string(from: value) else {
            throw EncodingError.unwritableDate(
                value, codingPath: codingPath, reason: "RFC 3339 has dates of the years 0 to 9999 only.")
        }
        return text
    }
}
