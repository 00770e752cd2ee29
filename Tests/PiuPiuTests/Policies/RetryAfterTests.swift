import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Retry-After", .timeLimit(.minutes(10)))
struct RetryAfterTests {
    /// 6 November 1994, 08:49:37.
    private static let sample: TimeInterval = 784_111_777
    /// 1 January 2026.
    private static let now: TimeInterval = 1_767_225_600

    private func wait(_ fields: (String, String)..., now: TimeInterval = now) throws -> Duration? {
        let head = TransferHead(
            url: try url("https://example.com"), status: 503, fields: fields.map { (name: $0.0, value: $0.1) })
        return RetryAfter.wait(in: head, now: now)
    }

    @Test(
        "R5 RETRY-AFTER: digits are seconds, with spaces around them, and huge values saturate",
        arguments: [
            ("0", 0), ("7", 7), ("007", 7), (" 5 ", 5), ("\t5\t ", 5), ("2147483647", 2_147_483_647),
            ("2147483648", 1 << 31), ("99999999999999999999999999999999", 1 << 31),
            ("0000000000000000000000000000001", 1),
        ])
    func digits(field: String, seconds: Int64) {
        #expect(RetryAfter(field, now: 0) == .delay(.seconds(seconds)))
    }

    @Test(
        "R5 RETRY-AFTER: anything else is ignored",
        arguments: [
            "", " ", "-1", "+5", "1.5", "5s", "5 5", "5,5", "0x10", "1e3", "٥", "½", "five", "5\n", "\u{A0}5", "--",
            "∞",
            "NaN", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Xun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun Nov  66 08:49:37 1994",
            "Sun Nov  6 08:49:37 1994 GMT", "1994-11-06T08:49:37Z",
        ])
    func invalid(field: String) throws {
        #expect(RetryAfter(field, now: Self.now) == nil)
    }

    @Test(
        "R5 RETRY-AFTER: a date in each of the three forms",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            " Sun, 06 Nov 1994 08:49:37 GMT\t", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun Nov 06 08:49:37 1994",
            "SUN, 06 nov 1994 08:49:37 gmt",
        ])
    func dates(field: String) throws {
        #expect(RetryAfter(field, now: Self.now) == .date(Self.sample))
        #expect(try wait(("Retry-After", field), now: Self.sample - 12) == .seconds(12))
    }

    @Test("R5 RETRY-AFTER: a year of two digits is at most 50 years from now; leap days and seconds are dates")
    func years() {
        func year(_ digits: String, _ now: TimeInterval) -> TimeInterval? {
            HTTPDate(anyForm: "Monday, 01-Jan-\(digits) 00:00:00 GMT", now: now)?.seconds
        }
        #expect(year("26", Self.now) == Self.now && year("70", 0) == 0 && year("00", 0) == 946_684_800)
        #expect(year("76", Self.now) == 3_345_062_400 && year("77", Self.now) == 220_924_800)
        let lastDay = "Thursday, 31-Dec-76 00:00:00 GMT"
        #expect(HTTPDate(anyForm: lastDay, now: Self.now)?.seconds == 220_838_400)
        // In 2090 "10" is 2110.
        #expect(year("10", 3_786_912_000) == 4_417_977_600)
        for odd in [TimeInterval.nan, .infinity, -.infinity, -1, 1e300] { #expect(year("00", odd) != nil) }
        #expect(HTTPDate(anyForm: "Thu, 29 Feb 2024 00:00:00 GMT", now: 0)?.seconds == 1_709_164_800)
        #expect(HTTPDate(anyForm: "Thu, 29 Feb 2023 00:00:00 GMT", now: 0) == nil)
        #expect(HTTPDate(anyForm: "Sat, 31 Dec 2016 23:59:60 GMT", now: 0)?.seconds == 1_483_228_800)
        #expect(HTTPDate(anyForm: "Sat, 01 Jan 0000 00:00:00 GMT", now: 0)?.seconds == -62_167_219_200)
    }

    @Test("R5 RETRY-AFTER: a date counts from the response's, else from the clock, and never backwards")
    func dateOfResponse() throws {
        let date = ("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(try wait(date, ("Date", "Sun, 06 Nov 1994 08:49:07 GMT")) == .seconds(30))
        #expect(try wait(date, ("Date", "Sunday, 06-Nov-94 08:49:07 GMT")) == .seconds(30))
        #expect(try wait(date, ("Date", "yesterday"), now: Self.sample - 9) == .seconds(9))
        #expect(try wait(date, ("Date", "Sun, 06 Nov 1994 09:49:37 GMT"), now: 0) == .zero)
        #expect(try wait(date) == .zero)
        #expect(try wait(("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT")) == RetryAfter.longest)
        for odd in [TimeInterval.nan, .infinity, -.infinity] { #expect(try wait(date, now: odd) != nil) }
    }

    @Test("R5 RETRY-AFTER: no field, or more than one, means no wait")
    func several() throws {
        #expect(try wait() == nil)
        #expect(try wait(("Retry-After", "1"), ("retry-after", "2")) == nil)
        #expect(try wait(("rEtRy-AfTeR", "2")) == .seconds(2))
    }

    @Test(
        "A date is written in the form that senders must use",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 31 Dec 1969 23:59:59 GMT",
            "Thu, 29 Feb 2024 10:00:09 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 GMT",
        ])
    func written(text: String) {
        #expect(HTTPDate(anyForm: text, now: Self.now)?.text == text)
    }

    @Test("R5 RETRY-AFTER: dates of any time are read in each form", arguments: [UInt64.random(in: 0...(.max))])
    func fuzzedDates(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int?) -> String { String((number ?? 0) + 100).suffix(2).description }
        for _ in 0..<2000 {
            // From 1976-01-02 to 2076, so that two digits are enough.
            let seconds = TimeInterval(Int.random(in: 189_388_800..<3_345_062_400, using: &random))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second, .weekday], from: Date(timeIntervalSince1970: seconds))
            let day = days[(parts.weekday ?? 1) - 1], month = months[(parts.month ?? 1) - 1], year = parts.year ?? 0
            let time = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
            let texts = [
                "\(day.prefix(3)), \(two(parts.day)) \(month) \(year) \(time) GMT",
                "\(day), \(two(parts.day))-\(month)-\(two(year % 100)) \(time) GMT",
                "\(day.prefix(3)) \(month) \((parts.day ?? 0) < 10 ? " " : "")\(parts.day ?? 0) \(time) \(year)",
            ]
            for text in texts {
                #expect(RetryAfter(text, now: Self.now) == .date(seconds), "seed \(seed): \(text)")
            }
        }
    }

    @Test("R5 RETRY-AFTER: no text does harm", arguments: [UInt64.random(in: 0...(.max))])
    func fuzzedTexts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "0", "1", "9", "99999999999", " ", "\t", "-", "+", ".", ",", "Sun,", "Sunday,", "Sun", "06", "6", "Nov",
            "-Nov-", "1994", "94", "08:49:37", "GMT", "06-Nov-94", ":", "é", "٣", "\u{0}", "\r\n", "e", "x",
        ]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...9, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            let trimmed = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
            let isNumber = !trimmed.isEmpty && trimmed.utf8.allSatisfy { 48...57 ~= $0 }
            switch RetryAfter(text, now: Self.now) {
            case .delay(let delay):
                #expect(isNumber && delay <= RetryAfter.longest, "seed \(seed): \(text.debugDescription)")
            case .date(let seconds):
                #expect(seconds == Self.sample, "seed \(seed): \(text.debugDescription)")
            case nil:
                #expect(!isNumber, "seed \(seed): \(text.debugDescription)")
            }
        }
    }
}
