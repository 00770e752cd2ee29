/// A day of the proleptic Gregorian calendar, in integer arithmetic, many times faster than Foundation's `Calendar`.
package struct CivilDate: Sendable {
    package let year: Int64
    /// 1 to 12.
    package let month: Int64
    /// 1 to 31.
    package let day: Int64

    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Whether the day exists.
    package var isValid: Bool { 1...12 ~= month && 1...daysOfMonth ~= day }

    private var daysOfMonth: Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    // Both count years from March, so that the leap day is the last, in eras of 400 years, which are all alike.

    /// The days from 1970-01-01 to this one.
    package var number: Int64 {
        let (era, yearOfEra) = (month > 2 ? year : year - 1).quotientRoundedDown(by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The seconds from 1970 to a time of this day, in GMT.
    package func seconds(hour: Int, minute: Int, second: Int) -> Double {
        Double(((number * 24 + Int64(hour)) * 60 + Int64(minute)) * 60 + Int64(second))
    }

    /// The date that many days after 1970-01-01.
    package init(number: Int64) {
        let (era, dayOfEra) = (number + 719_468).quotientRoundedDown(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity, and the remainder, which is never negative.
    package func quotientRoundedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
