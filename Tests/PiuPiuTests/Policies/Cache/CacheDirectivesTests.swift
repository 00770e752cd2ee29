import PiuPiu
import Testing

@Suite("The directives of Cache-Control", .timeLimit(.minutes(10)))
struct CacheDirectivesTests {
    @Test("K2 STORE: directives count in any case, order and number of lines, with white space and empty members")
    func names() {
        let fields = [
            ["max-age=60, no-store, private"], ["MAX-AGE=60,No-Store,PRIVATE"],
            ["private", "", "no-store\t,max-age=60"],
            [" ,, private ,\t no-store", ",max-age=60 ,"],
        ]
        for lines in fields {
            let directives = CacheDirectives(lines)
            #expect(directives.seconds("max-age") == .seconds(60) && directives.seconds("Max-Age") == .seconds(60))
            #expect(
                directives.contains("no-store") && directives.contains("private"))
            #expect(directives.contains("NO-STORE"))
            #expect(!directives.contains("no-cache"))
            #expect(directives == CacheDirectives(fields[0]))
        }
        for lines in [[""], [" , ,\t"], ["=1"], ["\"no-store\""]] {
            #expect(CacheDirectives(lines) == CacheDirectives([]))
        }
        #expect(CacheDirectives(["max-ages=1, x-max-age=1"]).seconds("max-age") == .absent)
    }

    @Test("K3 LIFETIME: the quoted text of an extension is never a directive")
    func quotedStrings() {
        for line in [
            "x=\"max-age=1, no-store\", max-age=2", "max-age=2, x=\"max-age=1, no-store\"",
            "x=\"\\\", max-age=1, no-store, \\\\\", max-age=2", "\"max-age=1, no-store\", max-age=2",
            "x=\"max-age=1\\\"\", max-age=2",
        ] {
            let directives = CacheDirectives([line])
            #expect(directives.seconds("max-age") == .seconds(2) && !directives.contains("no-store"), "\(line)")
        }
        #expect(CacheDirectives(["x=\"a\\\"b\\\\c, d\""]).argument("x") == "a\"b\\c, d")
    }

    @Test("K2 STORE: an unclosed quote hides no directive, on its line or the next")
    func openQuotes() {
        let directives = CacheDirectives(["x=\"a, no-store, max-age=\"", "no-cache"])
        #expect(directives.contains("no-cache") && !directives.contains("no-store"))
        for line in ["x=\"a, no-store", "max-age=\"1, no-store", "x=\"a\\\", no-store", "x=\"\\, no-store"] {
            let directives = CacheDirectives([line, "no-cache"])
            #expect(directives.contains("no-cache") && directives.contains("no-store"), "\(line)")
            #expect(directives.seconds("max-age") != .seconds(1))
        }
    }

    @Test(
        "K3 LIFETIME: digits are seconds, in quotes or not; more than 2³¹ is 2³¹",
        arguments: [
            ("3600", 3600), ("\"3600\"", 3600), ("\"36\\00\"", 3600), ("0", 0), ("003600", 3600),
            ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_648), ("2147483649", 2_147_483_648),
            ("9223372036854775808", 2_147_483_648), ("18446744073709551617", 2_147_483_648),
            (String(repeating: "9", count: 1_000_000), 2_147_483_648), (String(repeating: "0", count: 1_000_000), 0),
        ])
    func numbers(argument: String, seconds: Int) {
        #expect(CacheDirectives(["max-age=\(argument)"]).seconds("max-age") == .seconds(seconds))
    }

    @Test(
        "K3 LIFETIME: anything else is present but invalid",
        arguments: [
            "max-age", "max-age=", "max-age=\"\"", "max-age=3600.0", "max-age=-1", "max-age=+5", "max-age=3600a",
            "max-age=a3600", "max-age='3600'", "max-age =1", "max-age= 1", "max-age = 1", "max-age\t=1",
            "max-age=1 2", "max-age=1;2", "max-age 1", "max-age=\" 1\"", "max-age=\"1", "max-age=1\"", "max-age=\"1\"1",
            "max-age==1", "max-age=٣", "max-age=0x1", "max-age=1e3", "max-age=\"1\" \"2\"", "max-age=\"-1\"",
        ])
    func invalid(line: String) {
        let directives = CacheDirectives([line])
        #expect(directives.contains("max-age") && directives.seconds("max-age") == .invalid)
    }

    @Test("K3 LIFETIME: of duplicates the first counts, on one line or on two, valid or not")
    func duplicates() {
        for lines in [["max-age=1, max-age=2"], ["max-age=1", "MAX-AGE=2"], ["max-age=1, max-age=a"]] {
            #expect(CacheDirectives(lines).seconds("max-age") == .seconds(1))
        }
        #expect(CacheDirectives(["max-age=a, max-age=2"]).seconds("max-age") == .invalid)
        #expect(CacheDirectives(["max-age, max-age=2"]).seconds("max-age") == .invalid)
    }

    @Test("K7 REQUEST: max-stale with an argument differs from one without")
    func arguments() {
        #expect(CacheDirectives(["max-stale"]).argument("max-stale") == nil)
        #expect(CacheDirectives(["max-stale=5"]).argument("max-stale") == "5")
        #expect(CacheDirectives(["max-stale=\"5\""]).argument("max-stale") == "5")
        // An invalid argument must not pass for none.
        for line in ["max-stale=", "max-stale =5", "max-stale= 5", "max-stale=\"5", "max-stale 5"] {
            #expect(CacheDirectives([line]).argument("max-stale") != nil, "\(line)")
        }
        #expect(CacheDirectives(["max-age=5"]).argument("max-stale") == nil)
        #expect(CacheDirectives(["x=A'b"]).argument("X") == "A'b")
    }

    @Test("K5 STALE: no-cache and private are limited to the fields that they name")
    func fieldNames() {
        func names(_ lines: String...) -> [String]? { CacheDirectives(lines).fieldNames("no-cache") }
        #expect(names("no-cache=\"Set-Cookie, x-A ,,\"") == ["set-cookie", "x-a"])
        #expect(names("no-cache=Set-Cookie") == ["set-cookie"])
        #expect(names("no-cache=\"a\"", "no-cache=\"b\"") == ["a", "b"])
        #expect(CacheDirectives(["private=\"a\", no-cache=\"b\""]).fieldNames("private") == ["a"])
        #expect(names("max-age=1") == nil)
    }

    @Test(
        "K5 STALE: a no-cache that names no fields, or names them invalidly, covers the whole response",
        arguments: [
            "no-cache", "no-cache=", "no-cache=\"\"", "no-cache=\", ,\"", "no-cache =\"a\"", "no-cache a",
            "no-cache= a", "no-cache= \"a\"",
            "no-cache=\"a", "no-cache=\"a\"b", "no-cache=\"a b\"", "no-cache=\"a\", no-cache",
            "no-cache, no-cache=\"a\"",
            "no-cache=\"é\"", "no-cache=\"a,\\\"b\\\"\"",
        ])
    func unlimited(line: String) {
        let directives = CacheDirectives([line])
        #expect(directives.contains("no-cache") && directives.fieldNames("no-cache") == nil)
    }
}
