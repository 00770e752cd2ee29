public import Foundation

extension DateFormatter {
    /// A new formatter of `yyyy-MM-dd'T'HH:mm:ssZZZZZ` in UTC and the locale `en_US_POSIX`.
    ///
    /// ```swift
    /// let formatter = DateFormatter.rfc3339
    /// let lines = dates.map { formatter.string(from: $0) }
    /// ```
    ///
    /// Each access makes a new one, because a formatter is a mutable object: keep it if you need it often. It has whole
    /// seconds; ``RFC3339DateTransform`` and the strategies ``Foundation/JSONDecoder/DateDecodingStrategy`` `.rfc3339`
    /// read fractions too, and are faster.
    public static var rfc3339: DateFormatter {
        let formatter = DateFormatter()
        // The calendar first: it sets its own locale and time zone.
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZZZZZ"
        return formatter
    }
}
