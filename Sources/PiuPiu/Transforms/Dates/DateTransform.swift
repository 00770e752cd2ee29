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
/// A format that leaves a part of the date out, such as the fraction of the second, loses it on the way to JSON.
public struct DateTransform: Transform, ParameterlessTransform {
    /// Never changed, and never handed out unless it is of a subclass: a `DateFormatter` may be used, but not changed, by
    /// many threads at once.
    private let ownFormatter: DateFormatter

    /// Makes a transform for dates such as 2018-05-01T09:30:00Z, as PiuPiu 1.x had them: whole seconds.
    public init() {
        self.init(formatter: .rfc3339)
    }

    /// Makes a transform with a copy of the formatter, which may be changed afterwards.
    ///
    /// A formatter of a subclass of `DateFormatter` is used itself, since a copy may lack what the subclass adds: leave
    /// it as it is from then on.
    public init(formatter: DateFormatter) {
        ownFormatter = Self.copy(of: formatter)
    }

    /// Makes a transform with a copy of the formatter, as PiuPiu 1.11 had it.
    ///
    /// - Parameters:
    ///   - formatter: what reads and writes the dates.
    ///   - codingPath: not used; each call has its own.
    @available(*, deprecated, renamed: "init(formatter:)")
    public init(formatter: DateFormatter, codingPath: [any CodingKey]) {
        self.init(formatter: formatter)
    }

    /// A copy of the formatter, to look at; the transform doesn't change with it.
    public var formatter: DateFormatter { Self.copy(of: ownFormatter) }

    /// The date that the text tells.
    ///
    /// Without Apple's Foundation, text with a character of several UTF-16 units, such as most of Devanagari, is refused:
    /// the formatter there ends the process when it stops reading within one.
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
    /// - Throws: `EncodingError.invalidValue` for a date that is infinitely or absurdly far away, or not a number.
    public func toJSON(_ value: Date, codingPath: [any CodingKey]) throws -> String {
        guard Self.isWithinCalendars(value) else {
            throw EncodingError.unwritableDate(
                value, codingPath: codingPath, reason: "The date is beyond all calendars.")
        }
        return ownFormatter.string(from: value)
    }

    /// Whether the date is a number, and one that calendars reach. A formatter that overflows makes dates of no number,
    /// which Foundation can't describe.
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
    /// Whether a formatter can stop anywhere in the text: a trap of swift-corelibs-foundation, whose `date(from:)` ends
    /// the process where no character begins.
    fileprivate var isSafeForFormatter: Bool {
        #if canImport(Darwin)
            true
        #else
            utf16.count == count
        #endif
    }
}
