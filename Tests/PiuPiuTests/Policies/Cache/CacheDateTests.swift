import Foundation
import PiuPiu
import Testing

@Suite("The dates of a cache", .timeLimit(.minutes(10)))
struct CacheDateTests {
    /// 1 January 2026.
    private static let now: TimeInterval = 1_767_225_600
    /// 18 August 2050, 02:01:18.
    private static let sample: TimeInterval = 2_544_400_878

    @Test(
        "K3 LIFETIME: the names of days, months and the zone count in any case, in all three forms",
        arguments: [
            "Thu, 18 Aug 2050 02:01:18 GMT", "THU, 18 aug 2050 02:01:18 gmt", "tHU, 18 AUG 2050 02:01:18 Gmt",
            "Thursday, 18-Aug-50 02:01:18 GMT", "THURSDAY, 18-aug-50 02:01:18 gmt", "Thu Aug 18 02:01:18 2050",
            "thu AUG 18 02:01:18 2050",
        ])
    func anyCase(field: String) {
        #expect(HTTPDate(anyForm: field, now: Self.now)?.seconds == Self.sample)
    }

    @Test("K3 LIFETIME: each month and each day of the week is read in any case")
    func names() throws {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        for month in months {
            let date = HTTPDate(anyForm: "Thu, 18 \(month) 2050 02:01:18 GMT", now: Self.now)
            #expect(date != nil)
            for name in [month.lowercased(), month.uppercased()] {
                #expect(HTTPDate(anyForm: "Thu, 18 \(name) 2050 02:01:18 GMT", now: Self.now) == date)
            }
        }
        for day in days.flatMap({ [$0, $0.lowercased(), $0.uppercased()] }) {
            let texts = ["\(day), 18-Aug-50 02:01:18 GMT", "\(day.prefix(3)), 18 Aug 2050 02:01:18 GMT"]
            for text in texts { #expect(HTTPDate(anyForm: text, now: Self.now)?.seconds == Self.sample) }
        }
    }

    @Test(
        "K3 LIFETIME: an invalid date is read as none",
        arguments: [
            "0", "-1", "", "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 2050 02:01:18 AEST",
            "Thu, 18 Aug 2050 02:01:18 +0000", "Thu, 18 Aug 2050 02:01:18", "Thu, 18 Aug 2050 02:01:18 ",
            "Thu,  18 Aug 2050 02:01:18 GMT", "Thu, 18  Aug  2050 02:01:18 GMT", "Thu, 18 Aug 2050 02:01:18  GMT",
            "Thu 18 Aug 2050 02:01:18 GMT", "Thu,18 Aug 2050 02:01:18 GMT", "18 Aug 2050 02:01:18 GMT",
            "Thu, 18 Aug 2050 2:01:18 GMT", "Thu, 18 Aug 2050 02:1:18 GMT", "Thu, 18 Aug 2050 02.01.18 GMT",
            "Thu, 18 Aug 2050 02:01 GMT", "Thu, 18 Aug 50 02:01:18 GMT", "Thu, 18-Aug-2050 02:01:18 GMT",
            "Thursday, 18 Aug 2050 02:01:18 GMT", "Thursday, 18-Aug-2050 02:01:18 GMT",
            "Thu, 18-Aug-50 02:01:18 GMT", "Thu, 18 August 2050 02:01:18 GMT", "Thu, 8 Aug 2050 02:01:18 GMT",
            "Thu, 18 Aug 2050 02:01:18 GMT, Thu, 18 Aug 2050 02:01:18 GMT", "Thu Aug  18 02:01:18 2050",
            "Thu Aug 8 02:01:18 2050", "Thu, 18 \u{212A}ug 2050 02:01:18 GMT", "Thu, 18 ÀUG 2050 02:01:18 GMT",
        ])
    func invalid(field: String) {
        #expect(HTTPDate(anyForm: field, now: Self.now) == nil)
    }
}
