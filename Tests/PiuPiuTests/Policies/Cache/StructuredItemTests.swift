import Foundation
import PiuPiu
import Testing

@Suite("Items of structured fields (RFC 9651)", .timeLimit(.minutes(10)))
struct StructuredItemTests {
    private func value(_ field: String) -> StructuredValue? { try? StructuredItem(parsing: [field]).value }

    @Test("RFC 9651, 4.2.4: integers of up to 15 digits, with leading zeros and a sign")
    func integers() throws {
        let integers: [String: Int64] = [
            "42": 42, "-42": -42, "0": 0, "-0": 0, "007": 7, "  5 ": 5, "999999999999999": 999_999_999_999_999,
            "-999999999999999": -999_999_999_999_999, "000000000000001": 1,
        ]
        for (field, integer) in integers {
            #expect(value(field) == .integer(integer), "\(field)")
            #expect(try value(field)?.serialized() == "\(integer)")
        }
    }

    @Test("RFC 9651, 4.2.4: decimals of up to 12 digits before the point and 3 after it, exactly")
    func decimals() throws {
        let decimals = [
            "4.5": "4.5", "-4.5": "-4.5", "0.001": "0.001", "-0.001": "-0.001", "1.0": "1.0", "1.500": "1.5",
            "00.10": "0.1", "123456789012.123": "123456789012.123", "-999999999999.999": "-999999999999.999",
            "0.0": "0.0", "-0.0": "0.0", "5.05": "5.05", "1000000.0": "1000000.0",
        ]
        for (field, written) in decimals {
            let decimal = try #require(value(field), "\(field)")
            #expect(try decimal.serialized() == written)
            #expect(decimal == .decimal(try #require(Decimal(string: field))), "\(field)")
        }
    }

    @Test("RFC 9651, 4.1.5: a decimal is rounded to three digits, half to even")
    func rounding() throws {
        let decimals = [
            "0.0005": "0.0", "0.0015": "0.002", "0.0025": "0.002", "-0.0015": "-0.002", "0.00051": "0.001",
            "0.9995": "1.0", "1.2345": "1.234", "1.2355": "1.236", "999999999999.9994": "999999999999.999",
            "12": "12.0",
        ]
        for (decimal, written) in decimals {
            #expect(try StructuredValue.decimal(#require(Decimal(string: decimal))).serialized() == written)
        }
    }

    @Test("RFC 9651, 4.2.5: strings of printable ASCII, with two escapes")
    func strings() throws {
        for (field, string) in [
            #""hello world""#: "hello world", #""""#: "", #""a\"b\\c""#: #"a"b\c"#, #"" ~""#: " ~",
            #""%41,;""#: "%41,;",
        ] {
            #expect(value(field) == .string(string) && (try? StructuredValue.string(string).serialized()) == field)
        }
    }

    @Test("RFC 9651, 4.2.6: tokens", arguments: ["foo123/456", "*", "a:b", "A!#$%&'*+-.^_`|~0", "text/html", "*/*"])
    func tokens(field: String) throws {
        #expect(value(field) == .token(field))
        #expect(try StructuredValue.token(field).serialized() == field)
    }

    @Test("RFC 9651, 4.2.7: bytes in Base64, with or without padding")
    func bytes() throws {
        #expect(value(":aGVsbG8=:") == .binary(Data("hello".utf8)) && value(":aGVsbG8:") == .binary(Data("hello".utf8)))
        #expect(value("::") == .binary(Data()) && value(":aB:") == .binary(Data([0x68])))
        #expect(value(":+/+/:") == .binary(Data([0xFB, 0xFF, 0xBF])))
        #expect(try StructuredValue.binary(Data("hello".utf8)).serialized() == ":aGVsbG8=:")
    }

    @Test("RFC 9651, 4.2.8 and 4.2.9: booleans and dates")
    func booleansAndDates() throws {
        #expect(value("?1") == .boolean(true) && value("?0") == .boolean(false))
        for (field, seconds) in [
            "@1659578233": 1_659_578_233, "@-1": -1, "@0": 0, "@999999999999999": 999_999_999_999_999,
        ] {
            let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            #expect(value(field) == .date(date) && (try? StructuredValue.date(date).serialized()) == field)
        }
        #expect(try StructuredValue.date(Date(timeIntervalSince1970: -0.5)).serialized() == "@-1")
    }

    @Test("RFC 9651, 4.2.10: display strings have any characters, in UTF-8 and lower-case digits")
    func displayStrings() throws {
        for (field, string) in [
            #"%"This is intended for display to %c3%bcsers.""#: "This is intended for display to üsers.", #"%"""#: "",
            #"%"%22%25%0a""#: "\"%\n", #"%"\\""#: #"\\"#, #"%"%f0%9f%91%a9""#: "👩",
        ] {
            #expect(value(field) == .displayString(string), "\(field)")
            #expect(try StructuredValue.displayString(string).serialized() == field)
        }
        #expect(value(#"%"%41""#) == .displayString("A"))
    }

    @Test("RFC 9651, 4.2.3.2: the last of equal parameter keys counts, in the first one's place")
    func parameters() throws {
        let item = try StructuredItem(parsing: ["a;b=1; c;  *d-._0=\"x;y\";b=?0;e=?1"])
        #expect(item.parameters.keys == ["b", "c", "*d-._0", "e"])
        #expect(item.parameters["b"] == .boolean(false) && item.parameters["c"] == .boolean(true))
        #expect(try item.serialized() == "a;b=?0;c;*d-._0=\"x;y\";e")
        #expect(item.parameters["x"] == nil)
    }

    @Test(
        "RFC 9651, 4.2: what isn't an item is malformed",
        arguments: [
            "", " ", "1000000000000000", "-", "--1", "- 1", "+1", ".5", "-.5", "1.", "1.1234", "1234567890123.0",
            "1000000000000000.0", "1.5.5", "1e3", "\"", "\"a", "\"a\\\"", "\"\\a\"", "\"\\", "\"é\"", "\"\t\"",
            "\"\n\"",
            "'a'", "1a", "a b", "a,b", "a,", "é", ":aGk", ":", ":a:", ":aGk=", ":a=:", ":====:", ":aG k:", ":aGk=aGk=:",
            ":_-:", ":é:", "?", "?2", "?true", "?11", "@", "@1.5", "@a", "@1000000000000000", "%", "%a\"", "%\"",
            "%\"%\"",
            "%\"%4\"", "%\"%C3%BC\"", "%\"%c3\"", "%\"%ff\"", "%\"%ed%a0%80\"", "%\"é\"", "%\"\n\"", "(a)", "a;",
            "a;;b",
            "a;b=", "a;B", "a;1", "a;b =1", "a;b= 1", "a ;b", "a\t", "\ta", "a;b=(c)", "a=1",
        ])
    func malformed(field: String) throws {
        #expect(throws: StructuredFieldError.self, "\(field)") { try StructuredItem(parsing: [field]) }
        #expect(throws: StructuredFieldError.self) { try StructuredList(parsing: ["a", "é", field]) }
    }

    @Test("The error says what was expected and where, and shows no input")
    func errors() throws {
        func error(_ lines: String...) -> StructuredFieldError? {
            #expect(throws: StructuredFieldError.self) { try StructuredList(parsing: lines) }
        }
        #expect(
            error("a, b;C") == .malformed(.key, offset: 5) && error("a", "\"secret") == .malformed(.string, offset: 10))
        #expect(error("a,") == .malformed(.member, offset: 2) && error("(a,b)") == .malformed(.innerList, offset: 2))
        #expect(error("a", "\"secret")?.errorDescription?.contains("secret") == false)
        #expect(error("a", "\"secret")?.errorDescription?.contains("at byte 10 there is no valid sf-string") == true)
    }

    @Test("RFC 9651, 4.1: what a structured field can't hold isn't written")
    func unwritable() throws {
        let values: [(StructuredValue, StructuredFieldError.Rule)] = [
            (.integer(1_000_000_000_000_000), .integer), (.integer(.min), .integer),
            (.decimal(1_000_000_000_000), .decimal),
            (.decimal(.nan), .decimal), (.decimal(.greatestFiniteMagnitude), .decimal), (.string("é"), .string),
            (.decimal(try #require(Decimal(string: "-999999999999.9996"))), .decimal), (.string("\n"), .string),
            (.string("\u{7F}"), .string), (.token(""), .token), (.token("1a"), .token), (.token("a b"), .token),
            (.token("é"), .token), (.date(.distantFuture + 1e15), .date),
            (.date(Date(timeIntervalSince1970: .nan)), .date),
        ]
        for (value, rule) in values {
            #expect(throws: StructuredFieldError.unwritable(rule), "\(value)") { try value.serialized() }
        }
        for key in ["", "A", "1", "a b", "é", "-a"] {
            let item = StructuredItem(.integer(1), parameters: [key: .integer(1)])
            #expect(throws: StructuredFieldError.unwritable(.key)) { try item.serialized() }
            let dictionary: StructuredDictionary = [key: .item(StructuredItem(.boolean(true)))]
            #expect(throws: StructuredFieldError.unwritable(.key)) { try dictionary.serialized() }
        }
    }
}
