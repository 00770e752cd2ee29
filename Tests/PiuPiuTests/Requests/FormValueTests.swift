import Foundation
import PiuPiu
import Testing

@Suite("Values of encoded forms", .timeLimit(.minutes(10)))
struct FormValueTests {
    private struct Value<Wrapped: Encodable>: Encodable {
        var v: Wrapped

        init(_ wrapped: Wrapped) { v = wrapped }
    }

    private enum Color: String, Encodable { case red }

    /// The text of a value as a member, as an element and in a single-value container, which must be the same.
    private func text(
        _ value: some Encodable, _ encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()
    ) throws -> String? {
        let texts = try [
            encoder.encode(Value(value)), encoder.encode(Value([value])), encoder.encode(Value(Optional(value))),
        ].map { form in form.values(forName: "v") }
        #expect(Set(texts).count == 1)
        return texts.first?.first
    }

    @Test("Whole numbers are exact, up to 128 bits")
    func integers() throws {
        #expect(try text(UInt64.max) == "18446744073709551615")
        #expect(try text(Int64.min) == "-9223372036854775808")
        #expect(try text(UInt128.max) == "340282366920938463463374607431768211455")
        #expect(try text(Int128.min) == "-170141183460469231731687303715884105728")
        #expect(try text(Int.max) == "9223372036854775807")
        #expect(try [text(Int8.min), text(Int16.min), text(Int32.min)] == ["-128", "-32768", "-2147483648"])
        #expect(try [text(UInt8.max), text(UInt16.max), text(UInt32.max)] == ["255", "65535", "4294967295"])
        #expect(try text(UInt.max) == "18446744073709551615")
    }

    @Test("Other numbers are written as in JSON, without a fraction of zero")
    func fractions() throws {
        #expect(try text(0.1) == "0.1")
        #expect(try text(Float(0.1)) == "0.1")
        #expect(try text(5.0) == "5")
        #expect(try text(-0.0) == "-0")
        #expect(try text(1e15) == "1000000000000000")
        #expect(try text(1e-7) == "1e-07")
        #expect(try text(1e300) == "1e+300")
        #expect(try text(Float.greatestFiniteMagnitude) == "3.4028235e+38")
        #expect(try text(CGFloat(1.5)) == "1.5")
        let precise = try #require(Decimal(string: "1234567890123456789012345678.9012345678"))
        #expect(try text(precise) == "1234567890123456789012345678.9012345678")
        #expect(try text(Decimal(-5)) == "-5")
    }

    @Test("Texts, bytes, URLs and identifiers")
    func texts() throws {
        #expect(try text("a&b") == "a&b")
        #expect(try text(Data([0xFB, 0xFF])) == "+/8=")
        #expect(try text(try URL(fixture: "https://a.com/?q=%2B#f")) == "https://a.com/?q=%2B#f")
        let relative = try #require(URL(string: "b", relativeTo: URL(string: "https://a.com/x/")))
        #expect(try text(relative) == "https://a.com/x/b")
        let identifier = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try text(identifier) == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(try text(Color.red) == "red")
        #expect(try [text(true), text(false)] == ["true", "false"])
    }

    private static let dates: [(TimeInterval, iso: String, seconds: String, milliseconds: String)] = [
        (0, "1970-01-01T00:00:00Z", "0", "0"),
        (1_000_000_000.5, "2001-09-09T01:46:40Z", "1000000000.5", "1000000000500"),
        (1_700_000_000.123, "2023-11-14T22:13:20Z", "1700000000.123", "1700000000123"),
        (-0.5, "1969-12-31T23:59:59Z", "-0.5", "-500"),
        (-0.0001, "1969-12-31T23:59:59Z", "-0.0001", "0"),
        (-86_400, "1969-12-31T00:00:00Z", "-86400", "-86400000"),
        (253_402_300_799, "9999-12-31T23:59:59Z", "253402300799", "253402300799000"),
    ]

    @Test("Dates, before 1970 as well", arguments: dates)
    func writtenDates(since1970: TimeInterval, iso: String, seconds: String, milliseconds: String) throws {
        let date = Date(timeIntervalSince1970: since1970)
        #expect(try text(date) == iso)
        let written = try #require(try text(date, URLEncodedFormEncoder(dates: .secondsSince1970)))
        // A date holds the seconds since 2001.
        #expect(abs(try #require(Double(written)) - (Double(seconds) ?? .nan)) < 1e-6)
        #expect(try text(date, URLEncodedFormEncoder(dates: .millisecondsSince1970)) == milliseconds)
        #expect(try text(date, URLEncodedFormEncoder(dates: .custom { _ in "day" })) == "day")
    }

    private struct Deep: Encodable {
        var depth: Int
        var value: Double

        func encode(to encoder: any Encoder) throws {
            guard depth > 0 else {
                var container = encoder.singleValueContainer()
                return try container.encode(value)
            }
            var container = encoder.unkeyedContainer()
            try container.encode(Deep(depth: depth - 1, value: value))
        }
    }

    private struct Refused: Error {}

    @Test("A number that isn't finite, and a date that can't be written, are errors with their place")
    func unwritable() throws {
        func place(_ value: some Encodable, _ dates: URLEncodedFormEncoder.DateEncoding = .iso8601) throws -> String {
            let error = try #require(throws: RequestBodyError.self) {
                try URLEncodedFormEncoder(dates: dates).encode(["a": ["b": [value]]])
            }
            #expect(error.underlyingError is EncodingError)
            guard case .unencodableValue = error.kind else { return "another kind" }
            return error.codingPath
        }
        #expect(try place(Double.nan) == "a.b[0]")
        #expect(try place(-Float.infinity) == "a.b[0]")
        #expect(try place(Decimal.nan) == "a.b[0]")
        #expect(try place(Deep(depth: 2, value: .infinity)) == "a.b[0][0][0]")
        for seconds in [TimeInterval.nan, .infinity, 1e300, -1e300, 253_402_300_800, -62_135_856_000] {
            #expect(try place(Date(timeIntervalSince1970: seconds)) == "a.b[0]")
        }
        #expect(try place(Date(timeIntervalSince1970: .nan), .secondsSince1970) == "a.b[0]")
        #expect(try place(Date(timeIntervalSince1970: .infinity), .millisecondsSince1970) == "a.b[0]")
        let error = try #require(throws: RequestBodyError.self) {
            try URLEncodedFormEncoder(dates: .custom { _ in throw Refused() }).encode(["a": Date()])
        }
        #expect(error.underlyingError is Refused)
    }

    @Test("A form has names at the top")
    func noNames() throws {
        func errorText(_ value: some Encodable) throws -> String {
            let error = try #require(throws: RequestBodyError.self) { try URLEncodedFormEncoder().encode(value) }
            #expect(error.underlyingError is EncodingError && error.codingKeys.isEmpty && error.request == nil)
            return error.localizedDescription
        }
        let text = try errorText([1])
        #expect(
            text == """
                A value of the type [Int] could not be encoded for the request: An array has no names for a form. \
                Correct the value, or set up the encoder for it.
                """)
        #expect(try errorText([Int]()).contains("An array"))
        for text in try [errorText("a"), errorText(1), errorText(Color.red), errorText(Date())] {
            #expect(text.contains("A single value has no names"))
        }
    }

    @Test("Only single values can be joined")
    func joined() throws {
        let encoder = URLEncodedFormEncoder(arrays: .joined(separator: ","))
        let error = try #require(throws: RequestBodyError.self) { try encoder.encode(["a": [["b": 1]]]) }
        #expect(error.codingPath == "a[0]")
        #expect(throws: RequestBodyError.self) { try encoder.encode(["a": [[1], [2]]]) }
        #expect(try encoder.encode(["a": [Color.red]]).text == "a=red")
    }

    @Test("A hundred values within each other, on a small stack")
    func depth() async throws {
        let text = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
            let thread = Thread {
                let form = try? URLEncodedFormEncoder().encode(Value(Deep(depth: 100, value: 1)))
                let cycle = #expect(throws: RequestBodyError.self) { try URLEncodedFormEncoder().encode(Cycle()) }
                #expect(cycle?.localizedDescription.contains("128 values") == true)
                continuation.resume(returning: form?.text)
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(text == "v=1")
    }

    /// Encodes itself, without an end.
    private final class Cycle: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(["a": self])
        }
    }
}
