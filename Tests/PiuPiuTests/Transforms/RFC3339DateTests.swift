import Foundation
import PiuPiu
import Testing

@Suite("Dates of RFC 3339", .timeLimit(.minutes(10)))
struct RFC3339DateTests {
    private func read(_ text: String) -> Double? {
        try? RFC3339DateTransform().from(json: text, codingPath: []).timeIntervalSince1970
    }

    @Test(
        "Each form is read",
        arguments: [
            ("2018-05-01T09:30:00Z", 1_525_167_000), ("2018-05-01T11:30:00+02:00", 1_525_167_000),
            ("2018-05-01T00:00:00-09:30", 1_525_167_000), ("2018-05-01T11:30:00+0200", 1_525_167_000),
            ("2018-05-01T11:30:00+02", 1_525_167_000), ("2018-05-01t09:30:00z", 1_525_167_000),
            ("2018-05-01 09:30:00Z", 1_525_167_000), ("2018-05-01T09:30:00-00:00", 1_525_167_000),
            ("2018-05-01T09:30:00.5Z", 1_525_167_000.5), ("2018-05-01T09:30:00,125Z", 1_525_167_000.125),
            ("2018-05-01T09:30:00.000000000000000000000001Z", 1_525_167_000), ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59.75Z", -0.25), ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("1990-12-31T15:59:60-08:00", 662_688_000), ("2000-02-29T00:00:00Z", 951_782_400),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("1582-10-10T00:00:00Z", -12_219_724_800),
        ] as [(String, Double)])
    func forms(_ text: String, _ seconds: Double) {
        #expect(read(text) == seconds)
    }

    @Test(
        "An invalid date, or a day that isn't in the calendar, is refused",
        arguments: [
            "", "2018", "2018-05-01", "2018-05-01T09:30:00", "2018-05-01T09:30Z", "2018-05-01T09:30:00.Z",
            "2018-5-1T9:30:0Z", " 2018-05-01T09:30:00Z", "2018-05-01T09:30:00Z ", "2018-05-01T09:30:00Z\0",
            "2018-00-01T09:30:00Z", "2018-13-01T09:30:00Z", "2018-05-00T09:30:00Z", "2018-05-32T09:30:00Z",
            "2018-02-29T09:30:00Z", "1900-02-29T09:30:00Z", "2018-04-31T09:30:00Z", "2018-05-01T24:00:00Z",
            "2018-05-01T09:60:00Z", "2018-05-01T09:30:61Z", "2018-05-01T09:30:60Z", "2018-05-01T09:30:00+24:00",
            "2018-05-01T09:30:00+02:60", "2018-05-01T09:30:00+2", "2018-05-01T09:30:00+020", "2018-05-01T09:30:00+",
            "12018-05-01T09:30:00Z", "-2018-05-01T09:30:00Z", "2018-05-01T09:30:00ZZ", "٢٠١٨-05-01T09:30:00Z",
            "2018/05/01T09:30:00Z", "2018-05-01T-9:30:00Z", "20180501T093000Z",
        ])
    func garbage(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test(
        "Dates are written in UTC: without decimals the fraction is dropped, with decimals it is rounded",
        arguments: [
            (1_525_167_000.9996, 0, "2018-05-01T09:30:00Z"), (1_525_167_000.9996, 3, "2018-05-01T09:30:01.000Z"),
            (1_525_167_000.9994, 3, "2018-05-01T09:30:00.999Z"), (1_525_167_000.5, 1, "2018-05-01T09:30:00.5Z"),
            (1_525_167_000.25, -1, "2018-05-01T09:30:00Z"), (1_525_167_000.25, 9, "2018-05-01T09:30:00.250000000Z"),
            (1_525_167_000.25, 10, "2018-05-01T09:30:00.250000000Z"), (-0.25, 2, "1969-12-31T23:59:59.75Z"),
            (-0.25, 0, "1969-12-31T23:59:59Z"), (951_782_400, 0, "2000-02-29T00:00:00Z"),
            (-62_167_219_200, 0, "0000-01-01T00:00:00Z"), (253_402_300_799, 0, "9999-12-31T23:59:59Z"),
            (-12_219_724_800, 0, "1582-10-10T00:00:00Z"),
        ] as [(Double, Int, String)])
    func writing(_ seconds: Double, _ digits: Int, _ text: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try RFC3339DateTransform(fractionalDigits: digits).toJSON(date, codingPath: []) == text)
    }

    @Test("The ends of years and Februaries match a count of days, for eight hundred years")
    func calendar() throws {
        let transform = RFC3339DateTransform(fractionalDigits: 0)
        // 1599-12-31, in days since 1970.
        var day = -135_141
        for year in 1600..<2400 {
            let isLeap = year.isMultiple(of: 400) || year.isMultiple(of: 4) && !year.isMultiple(of: 100)
            let lengths = [1, 58, isLeap ? 1 : 0, 1, 305]
            for (length, name) in zip(lengths, ["01-01", "02-28", "02-29", "03-01", "12-31"]) where length > 0 {
                day += length
                let text = "\(year)-\(name)T00:00:00Z", date = Date(timeIntervalSince1970: Double(day) * 86_400)
                #expect(try transform.toJSON(date, codingPath: []) == text)
                #expect(read(text) == date.timeIntervalSince1970)
            }
        }
    }

    @Test("Years are limited to 0 to 9999, even after rounding")
    func years() {
        for seconds in [-62_167_219_201, 253_402_300_800, 253_402_300_799.9999, 1e18, -1e18] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(throws: EncodingError.self) { try RFC3339DateTransform().toJSON(date, codingPath: []) }
        }
    }

    @Test("The strategies write whole seconds, or the given number of decimals, and read both")
    func strategies() throws {
        struct Model: Codable {
            var date: Date
        }
        let model = Model(date: Date(timeIntervalSince1970: 1_525_167_000.125))
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .rfc3339
        #expect(try encoder.encode(model).jsonText == #"{"date":"2018-05-01T09:30:00Z"}"#)
        encoder.dateEncodingStrategy = .rfc3339(fractionalDigits: 3)
        #expect(try encoder.encode(model).jsonText == #"{"date":"2018-05-01T09:30:00.125Z"}"#)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        #expect(try decoder.decode(Model.self, from: encoder.encode(model)).date == model.date)
        let whole = try decoder.decode(Model.self, from: Data(#"{"date":"2018-05-01T11:30:00+02:00"}"#.utf8))
        #expect(whole.date == Date(timeIntervalSince1970: 1_525_167_000))
        let error = try #require(throws: DecodingError.self) {
            try decoder.decode([Model].self, from: Data(#"[{"date":"now"}]"#.utf8))
        }
        #expect(codingPathText(of: error) == "0.date")
        let distant = Model(date: Date(timeIntervalSince1970: 1e12))
        let encodingError = try #require(throws: EncodingError.self) { try encoder.encode([distant]) }
        #expect(codingPathText(of: encodingError) == "0.date")
    }

    @Test("Each access to DateFormatter.rfc3339 gives a new formatter")
    func formatter() {
        let first = DateFormatter.rfc3339
        first.dateFormat = "yyyy"
        #expect(first !== DateFormatter.rfc3339)
        #expect(DateFormatter.rfc3339.string(from: Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
        #expect(DateFormatter.rfc3339.date(from: "1970-01-01T02:00:00+02:00") == Date(timeIntervalSince1970: 0))
    }
}
