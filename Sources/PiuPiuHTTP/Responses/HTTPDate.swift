package import Foundation

/// A date of an HTTP header, in one of the three forms that a recipient must accept (RFC 9110, section 5.6.7).
package struct HTTPDate: Sendable, Equatable {
    /// Seconds since 1970.
    package let seconds: TimeInterval

    private init(seconds: TimeInterval) {
        self.seconds = seconds
    }

    /// The date of any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`.
    ///
    /// The day of the week must be valid, but needn't match the date. A leap second counts as the second after it. The
    /// names of days, months and the zone may be in any case, as a cache must accept them (RFC 9111, section 4.2).
    ///
    /// - Parameter now: seconds since 1970; it decides the century of a year of two digits.
    package init?(anyForm text: String, now: TimeInterval) {
        let lowered = String(decoding: text.utf8.map(\.loweredASCII), as: UTF8.self)
        let words = lowered.split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 6 where words[5] == "gmt" && Self.isDay(words[0], words: Self.shortDays, comma: true):
            self.init(words[1], words[2], Self.number(words[3], digits: 4), words[4])
        case 4 where words[3] == "gmt" && Self.isDay(words[0], words: Self.longDays, comma: true):
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, let digits = Self.number(date[2], digits: 2) else { return nil }
            // The latest one that is at most 50 years from now.
            let latest = Self.seconds(of: now) + 50 * 365.2425 * 86_400
            let century = Self.year(of: latest) / 100 * 100
            let dates = [century, century - 100].lazy.compactMap { Self(date[0], date[1], $0 + digits, words[2]) }
            guard let possible = dates.first(where: { $0.seconds <= latest }) else { return nil }
            self = possible
        case 5 where Self.isDay(words[0], words: Self.shortDays, comma: false):
            self.init(words[2], words[1], Self.number(words[4], digits: 4), words[3])
        // A day of one digit has another space before it.
        case 6 where words[2].isEmpty && Self.isDay(words[0], words: Self.shortDays, comma: false):
            guard words[3].utf8.count == 1 else { return nil }
            self.init("0\(words[3])", words[1], Self.number(words[5], digits: 4), words[4])
        default:
            return nil
        }
    }

    /// The date in the form that a sender must use: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var text: String {
        let (days, second) = Int64(seconds.rounded(.down)).quotientRoundedDown(by: 86_400)
        let date = CivilDate(number: days)
        // The first of January 1970 was a Thursday.
        let weekday = Self.shortDays[Int((days + 3).quotientRoundedDown(by: 7).remainder)]
        let month = Self.months[Int(date.month) - 1]
        let parts = [date.day, second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let year = String(repeating: "0", count: max(0, 4 - "\(date.year)".count)) + "\(date.year)"
        return "\(weekday.capitalized), \(parts[0]) \(month.capitalized) \(year) "
            + "\(parts[1]):\(parts[2]):\(parts[3]) GMT"
    }

    private static let shortDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    /// The months, in lower case.
    package static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private init?(_ day: Substring, _ month: Substring, _ year: Int?, _ time: Substring) {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0, digits: 2) }
        guard let day = Self.number(day, digits: 2), let year,
            let month = Self.months.firstIndex(where: { $0 == month }).map({ $0 + 1 }), parts.count == 3,
            let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
        guard date.isValid else { return nil }
        self.init(seconds: date.seconds(hour: hour, minute: minute, second: second))
    }

    private static func isDay(_ word: Substring, words: [String], comma: Bool) -> Bool {
        words.contains { word == (comma ? "\($0)," : $0) }
    }

    /// A number of exactly `digits` ASCII digits.
    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }

    /// No clock shows a later time, or NaN.
    private static func seconds(of now: TimeInterval) -> TimeInterval { now > 0 ? min(now, 1e11) : 0 }

    private static func year(of seconds: TimeInterval) -> Int {
        Int(CivilDate(number: Int64(seconds / 86_400)).year)
    }
}
