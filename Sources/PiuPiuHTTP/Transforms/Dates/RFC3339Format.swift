package import Foundation

/// Writes and reads the dates of RFC 3339, always in the Gregorian calendar. It uses no formatter, which would be a
/// mutable object and several times slower.
package struct RFC3339Format: Sendable {
    package let fractionalDigits: Int

    /// - Parameter fractionalDigits: The decimals of the second; clamped to 0...9.
    package init(fractionalDigits: Int) {
        self.fractionalDigits = min(max(fractionalDigits, 0), 9)
    }

    /// The text of the date in UTC, or `nil` when its year doesn't have four digits.
    package func string(from date: Date) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        // Far more than 10,000 years, and few enough seconds to be exact in a `Double`.
        guard interval.magnitude < 1e12 else { return nil }
        let whole = interval.rounded(.down)
        var second = Int64(whole) + Self.referenceSecond
        var fraction: Int64 = 0
        if fractionalDigits > 0 {
            let scale = Self.powerOfTen(fractionalDigits)
            fraction = Int64(((interval - whole) * Double(scale)).rounded())
            if fraction == scale {
                fraction = 0
                second += 1
            }
        }
        let (day, secondOfDay) = second.quotientRoundedDown(by: 86_400)
        let civil = CivilDate(number: day)
        guard (0...9999).contains(civil.year) else { return nil }
        let date = "\(civil.year.padded(to: 4))-\(civil.month.padded(to: 2))-\(civil.day.padded(to: 2))"
        let minute = secondOfDay / 60
        let time = "\((minute / 60).padded(to: 2)):\((minute % 60).padded(to: 2)):\((secondOfDay % 60).padded(to: 2))"
        let decimals = fractionalDigits > 0 ? ".\(fraction.padded(to: fractionalDigits))" : ""
        return "\(date)T\(time)\(decimals)Z"
    }

    /// The date in the text, or `nil` when it isn't one of the forms that ``RFC3339DateTransform`` describes.
    package static func date(from text: String) -> Date? {
        var reader = RFC3339Reader(text)
        guard let year = reader.number(of: 4), reader.skip("-"), let month = reader.number(of: 2), reader.skip("-"),
            let day = reader.number(of: 2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(of: 2), reader.skip(":"), let minute = reader.number(of: 2), reader.skip(":"),
            let second = reader.number(of: 2), let fraction = reader.fraction(), let offset = reader.offset(),
            reader.isAtEnd, hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.isValid else { return nil }
        let total = date.number * 86_400 + hour * 3600 + minute * 60 + second - offset
        // A leap second ends a day of UTC.
        if second == 60, total % 86_400 != 0 { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(total - referenceSecond) + fraction)
    }

    /// 2001-01-01, Foundation's reference date, in seconds since 1970.
    private static let referenceSecond: Int64 = 978_307_200

    private static func powerOfTen(_ exponent: Int) -> Int64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

extension Int64 {
    /// The digits of a number that is not negative, with zeros before them.
    fileprivate func padded(to length: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, length - digits.utf8.count)) + digits
    }
}
