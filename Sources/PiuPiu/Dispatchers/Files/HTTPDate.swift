package import Foundation

/// A date of an HTTP header, in the form that servers have to send (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37
/// GMT`.
package struct HTTPDate: Sendable, Equatable {
    /// Seconds since 1970.
    package let seconds: TimeInterval

    init(seconds: TimeInterval) {
        self.seconds = seconds
    }

    package init?(_ text: String) {
        // The strategy below takes years of five digits and minutes of one.
        guard text.utf8.count == 29,
            text.wholeMatch(of: /[A-Za-z]{3}, [0-9]{2} [A-Za-z]{3} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT/) != nil
        else { return nil }
        let form = Date.ParseStrategy(
            format:
                "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .extended(minimumLength: 4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, isLenient: false)
        guard let date = try? Date(text, strategy: form) else { return nil }
        seconds = date.timeIntervalSince1970
    }
}
