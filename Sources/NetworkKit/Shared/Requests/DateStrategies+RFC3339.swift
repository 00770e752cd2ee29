public import Foundation

extension DateFormatter {
    /// Dates as RFC 3339 writes them, in whole seconds and UTC: "2019-06-30T12:00:00Z".
    public static var rfc3339: DateFormatter {
        let formatter = DateFormatter()
        formatter.calendar = Calendar(identifier: .iso8601)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZZZZZ"
        return formatter
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Dates as RFC 3339 writes them.
    public static var rfc3339: JSONEncoder.DateEncodingStrategy { .formatted(.rfc3339) }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Dates as RFC 3339 writes them.
    public static var rfc3339: JSONDecoder.DateDecodingStrategy { .formatted(.rfc3339) }
}
