public import Foundation

/// Turns text into dates and back with a `DateFormatter`.
///
/// ```swift
/// let formatter = DateFormatter()
/// formatter.locale = Locale(identifier: "en_US_POSIX")
/// formatter.dateFormat = "yyyy-MM-dd"
/// start = try container.decode(using: DateTransform(formatter: formatter), forKey: .start)
/// ```
///
/// For the dates of RFC 3339 and ISO 8601, ``RFC3339DateTransform`` is several times faster and reads fractions of a
/// second; ``UnixSecondsTransform`` and ``UnixMillisecondsTransform`` are for numbers.
///
/// A format that omits a part of the date, such as the fraction of the second, loses it when encoding.
public struct DateTransform: Transform, ParameterlessTransform {
    /// Never changed, and shared only if it is of a subclass: many threads may use a `DateFormatter` at once, but not
    /// change it.
    private let ownFormatter: DateFormatter

    /// Makes a transform for dates such as 2018-05-01T09:30:00Z, as PiuPiu 1.x had them: whole seconds.
    public init() {
        self.init(formatter: .rfc3339)
    }

    /// Makes a transform with a copy of the formatter, which may be changed afterwards.
    ///
    /// A formatter of a subclass of `DateFormatter` is used itself, because a copy may lack what the subclass adds:
    /// don't change it afterwards.
    public init(formatter: DateFormatter) {
        ownFormatter = Self.copy(of: formatter)
    }

    /// Makes a transform with a copy of the formatter, as PiuPiu 1.11 had it.
    ///
    /// - Parameters:
    ///   - formatter: reads and writes the dates.
    ///   - codingPath: not used; each call has its own.
    @available(*, deprecated, renamed: "init(formatter:)")
    public init(formatter: DateFormatter, codingPath: [any CodingKey]) {
        self.init(formatter: formatter)
    }

    /// A copy of the formatter; changing it doesn't change the transform.
    public var formatter: DateFormatter { Self.copy(of: ownFormatter) }

    /// The date in the text.
    ///
    /// Without Apple's Foundation, text with a character of several UTF-16 units, such as most of Devanagari, is
    /// refused: that formatter traps when it stops reading within one.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when the formatter can't read it.
    public func from(json: String, codingPath: [any CodingKey]) throws -> Date {
        guard json.isSafeForFormatter, let date = ownFormatter.date(from: json),
            Self.isWithinCalendars(date)
        else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "\(json.quotedForErrors) is not a date\(formatForErrors)."
                ))
        }
        return date
    }

    /// The text of the date.
    ///
    /// - Throws: `EncodingError.invalidValue` for an infinite or absurdly distant date, or NaN.
    public func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> String {
        guard Self.isWithinCalendars(value) else {
            throw EncodingError.unwritableDate(
                value, codingPath: codingPath, reason: "The date is beyond all calendars.")
        }
        return ownFormatter.string(from: value)
    }

    /// Whether the date is a number within the reach of calendars. A formatter that overflows makes NaN dates, which
    /// Foundation can't describe.
    private static func isWithinCalendars(_ date: Date) -> Bool {
        // Three million years.
        date.timeIntervalSinceReferenceDate.magnitude <= 1e14
    }

    private var formatForErrors: String {
        let format: String? = ownFormatter.dateFormat
        return format.flatMap { $0.isEmpty ? nil : " of the format \($0.quotedForErrors)" } ?? ""
    }

    private static func copy(of formatter: DateFormatter) -> DateFormatter {
        guard type(of: formatter) == DateFormatter.self else { return formatter }
        return formatter.copy() as? DateFormatter ?? formatter
    }
}

extension String {
    /// Whether a formatter can safely stop anywhere in the text: `date(from:)` of swift-corelibs-foundation traps where
    /// no character begins.
    fileprivate var isSafeForFormatter: Bool {
        #if canImport(Darwin)
            true
        #else
            utf16.count == count
        #endif
    }
}
