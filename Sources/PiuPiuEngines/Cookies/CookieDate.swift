package import Foundation

/// The dates of cookies, which are parsed more leniently than others (RFC 6265, section 5.1.1).
package enum CookieDate {
    /// The date in a text, or `nil` if there is none.
    package static func date(of text: String) -> Date? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?, month: Int?, year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter).map({ Array($0) }) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let time, let day, let month, let year, year >= 1601, time.hour < 24, time.minute < 60, time.second < 60
        else { return nil }
        let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
        // There is no 30th of February.
        guard date.isValid else { return nil }
        return Date(timeIntervalSince1970: date.seconds(hour: time.hour, minute: time.minute, second: time.second))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The number at the start of a token, if it has that many digits; other characters may follow.
    private static func number(_ token: some Collection<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix { (0x30...0x39).contains($0) }
        guard digits.contains(number.count) else { return nil }
        return number.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func time(_ token: [UInt8]) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2, let hour = number(parts[0], digits: 1...2),
            let minute = number(parts[1], digits: 1...2), let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ token: [UInt8]) -> Int? {
        let name = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
        return HTTPDate.months.firstIndex(of: name).map { $0 + 1 }
    }
}
