import Foundation

/// Writes and reads the dates of RFC 3339, in the Gregorian calendar throughout and without a formatter, which is an
/// object that could be changed and takes several times as long.
struct RFC3339Format: Sendable {
    let fractionalDigits: Int

    /// - Parameter fractionalDigits: The decimals of the second; brought into 0...9.
    init(fractionalDigits: Int) {
        self.fractionalDigits = min(max(fractionalDigits, 0), 9)
    }

    /// The text of the date in UTC, or `nil` when its year doesn't have four digits.
    func string(from date: Date) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        // Far more than 10,000 years, and few enough to be whole numbers.
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
        let (year, month, dayOfMonth) = Self.civilDate(ofDay: day)
        guard (0...9999).contains(year) else { return nil }
        let date = "\(year.padded(to: 4))-\(month.padded(to: 2))-\(dayOfMonth.padded(to: 2))"
        let minute = secondOfDay / 60
        let time = "\((minute / 60).padded(to: 2)):\((minute % 60).padded(to: 2)):\((secondOfDay % 60).padded(to: 2))"
        let decimals = fractionalDigits > 0 ? ".\(fraction.padded(to: fractionalDigits))" : ""
        return "\(date)T\(time)\(decimals)Z"
    }

    /// The date that the text tells, or `nil` when it isn't of RFC 3339, with the leave that
    /// ``RFC3339DateTransform`` describes.
    static func date(from text: String) -> Date? {
        var reader = RFC3339Reader(text)
        guard let year = reader.number(of: 4), reader.skip("-"), let month = reader.number(of: 2), reader.skip("-"),
            let day = reader.number(of: 2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(of: 2), reader.skip(":"), let minute = reader.number(of: 2), reader.skip(":"),
            let second = reader.number(of: 2), let fraction = reader.fraction(), let offset = reader.offset(),
            reader.isAtEnd, (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        let total = dayNumber(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        // A leap second ends a day of UTC.
        if second == 60, total % 86_400 != 0 { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(total - referenceSecond) + fraction)
    }

    /// 2001-01-01, from which Foundation counts, in seconds since 1970.
    private static let referenceSecond: Int64 = 978_307_200

    private static func powerOfTen(_ exponent: Int) -> Int64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    // Both count years from March, so that the leap day is the last, in eras of 400 years, which are all alike.

    /// The days from 1970-01-01 to the date.
    private static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = (month > 2 ? year : year - 1).quotientRoundedDown(by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date that many days after 1970-01-01.
    private static func civilDate(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (day + 719_468).quotientRoundedDown(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }
}

extension Int64 {
    /// The quotient towards minus infinity, and the rest, which is never negative.
    fileprivate func quotientRoundedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The digits of a number that is not negative, with zeros before them.
    fileprivate func padded(to length: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, length - digits.utf8.count)) + digits
    }
}
