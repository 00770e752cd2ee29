import PiuPiu
import Testing

private let fresh = [("Cache-Control", "max-age=3600")]

/// A field that the server sends, and whether a response from the cache still has it.
private func field(_ name: String, _ value: String, isKept: Bool = true) -> CacheScript {
    CacheScript(
        "\(name): \(value)", .init(response: fresh + [(name, value)], sees: [name: value]),
        .init(source: .cache, sees: [name: isKept ? value : "-"]))
}

private func varied(
    _ name: String, _ fields: [String], _ first: [String: String], _ second: [String: String],
    _ source: CacheScript.Source
) -> CacheScript {
    let response = fresh + fields.map { ("Vary", $0) }
    return CacheScript(
        "\(name): \(fields)", .init(request: first, response: response),
        .init(request: second, response: response, source: source))
}

@Suite("HTTP cache: header fields", .timeLimit(.minutes(10)))
struct CacheFieldRulesTests {
    private static let fieldsScripts: [CacheScript] =
        [
            ("Test-Header", "a"), ("X-Test-Header", "a"), ("Content-Foo", "a"), ("X-Content-Foo", "a"),
            ("Content-Disposition", "attachment; filename=a"), ("Content-Encoding", "foo"),
            ("Content-Location", "/foo"),
            ("Content-MD5", "rL0Y20zC+Fzt72VPzMSk2A=="), ("Content-Range", "bytes 1-5/10"), ("Content-Length", "6"),
            ("Content-Security-Policy", "default-src 'self'"), ("Content-Type", "text/plain;charset=utf-8"),
            ("Clear-Site-Data", "cookies"), ("ETag", "\"abcdef\""), ("Expires", "0"), ("Pragma", "no-cache"),
            ("Pragma", "foo"), ("Public-Key-Pins", "a"), ("Set-Cookie", "a=b"), ("Set-Cookie2", "a=b"),
            ("X-Frame-Options", "deny"), ("X-XSS-Protection", "1"), ("Warning", "199 - a"),
            ("Last-Modified", "Thu, 18 Aug 2005 02:01:18 GMT"), ("Date", "Thu, 18 Aug 2050 02:01:18 GMT"),
        ].map { field($0.0, $0.1) }
        + [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
            "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
        ].map { field($0, "a", isKept: false) } + [
            .init(
                "two lines stay two", .init(response: fresh + [("a", "1"), ("a", "2")]),
                .init(source: .cache, sees: ["a": "1, 2"])),
            .init(
                "those that Connection names, in several lines and any case",
                .init(
                    response: fresh + [
                        ("Connection", " A ,,close"), ("connection", "b"), ("a", "1"), ("B", "2"), ("c", "3"),
                    ]),
                .init(source: .cache, sees: ["a": "-", "b": "-", "c": "3"])),
            .init(
                "one that no-cache names alone, without quotes",
                .init(response: [("Cache-Control", "no-cache=a, max-age=60"), ("a", "1"), ("b", "2")]),
                .init(source: .cache, sees: ["a": "-", "b": "2"])),
            .init(
                "a length that did not count beside a transfer coding",
                .init(response: fresh + [("Transfer-Encoding", "chunked"), ("Content-Length", "100")]),
                .init(source: .cache, sees: ["Content-Length": "-"])),
            .init(
                "a cookie in the request", .init(request: ["Cookie": "a=b"], response: fresh),
                .init(request: ["Cookie": "a=c"], source: .cache)),
        ]

    @Test("K9 FIELDS: each field is kept or dropped as RFC 9111, section 3.1, says", arguments: fieldsScripts)
    func fields(script: CacheScript) async throws { try await script.run() }

    private static let agesScripts: [CacheScript] = [
        .init(
            "what the server took counts", .init(response: [("Cache-Control", "max-age=10")], delay: 5),
            .init(source: .cache, sees: ["Age": "8"]), .init(source: .server)),
        .init(
            "beside its own age", .init(response: fresh + [("Age", "30")], delay: 5),
            .init(source: .cache, sees: ["Age": "38"])),
        .init(
            "an older date wins", .init(response: fresh + [("Age", "30"), ("Date", "@-100")], delay: 5),
            .init(source: .cache, sees: ["Age": "103"])),
        .init(
            "told where Expires counts", .init(response: [("Age", "30"), ("Date", "@0"), ("Expires", "@60")]),
            .init(source: .cache, sees: ["Age": "33"])),
        .init(
            "a fast date, an age beyond Expires",
            .init(response: [("Age", "25"), ("Date", "@10"), ("Expires", "@20")]), .init(source: .server)),
        .init(
            "a slow date, an age beyond Expires",
            .init(response: [("Age", "25"), ("Date", "@-10"), ("Expires", "@10")]), .init(source: .server)),
        .init(
            "a slow date, and Expires to come", .init(response: [("Date", "@-10"), ("Expires", "@10")]),
            .init(source: .cache, sees: ["Age": "13"])),
        .init(
            "Expires before a fast date", .init(response: [("Date", "@300"), ("Expires", "@200")]),
            .init(source: .server)),
        .init("7200;a=1", .init(response: fresh + [("Age", "7200;a=1")]), .init(source: .cache)),
        .init("2³¹-1", .init(response: fresh + [("Age", "2147483647")]), .init(source: .server)),
        .init("0, 0", .init(response: fresh + [("Age", "0, 0")]), .init(source: .cache)),
        .init("0, 7200", .init(response: fresh + [("Age", "0, 7200")]), .init(source: .cache)),
        .init("old, old", .init(response: fresh + [("Age", "7200"), ("Age", "7200")]), .init(source: .server)),
        .init("old, 0", .init(response: fresh + [("Age", "7200"), ("Age", "0")]), .init(source: .server)),
        .init(
            "only one is told", .init(response: fresh + [("Age", "5"), ("Age", "7")]),
            .init(source: .cache, sees: ["Age": "8"])),
        .init(
            "a date that is none", .init(response: fresh + [("Date", "yesterday")]),
            .init(source: .cache, sees: ["Age": "3", "Date": "yesterday"])),
        .init(
            "a part of a second is none", .init(response: fresh, pause: 3.9),
            .init(source: .cache, sees: ["Age": "3"])),
    ]

    @Test("K4 AGE: delays, dates and several ages", arguments: agesScripts)
    func age(script: CacheScript) async throws { try await script.run() }

    private static let directivesScripts: [CacheScript] =
        [
            ("max-age=1, no-store", CacheScript.Source.server), ("no-store foo", .server), ("immutable", .server),
            ("max-age=9, immutable", .cache), ("max-age=1, immutable", .server), ("max-age=9, must-revalidate", .cache),
            ("max-age=1, must-revalidate", .server), ("public", .server), ("private", .server),
            ("max-age=9, private=\"a\"", .cache), ("max-age=9, proxy-revalidate", .cache),
            ("max-age=9, foobar", .cache),
            ("max-age=9, no-transform", .cache), ("s-maxage=9, max-age=1", .server), ("s-maxage=1, max-age=9", .cache),
            ("max-age=9, No-Cache", .server), ("no-cache=, max-age=9", .server), ("no-cache=\"\", max-age=9", .server),
            ("max-age=1, stale-if-error=9", .server), ("x=\"no-store\", max-age=9", .cache),
            ("must-understand, max-age=9", .cache), ("max-age=1, x=\"max-age=9\"", .server),
            ("x=\"max-age=9\", max-age=1", .server), ("max-age=9;no-store", .server), ("max-age:9", .server),
        ].map { value, source in
            CacheScript(
                value, .init(response: [("Cache-Control", value)]),
                .init(response: [("Cache-Control", value)], source: source))
        } + [
            .init(
                "in several lines", .init(response: [("Cache-Control", "max-age=9"), ("Cache-Control", "no-store")]),
                .init(source: .server)),
            .init(
                "s-maxage in another line",
                .init(response: [("Cache-Control", "s-maxage=9"), ("Cache-Control", "max-age=1")]),
                .init(source: .server)),
            .init(
                "the first of two Expires", .init(response: [("Expires", "0"), ("Expires", "@60")]),
                .init(source: .server)),
            .init(
                "Pragma of a response is nothing", .init(response: fresh + [("Pragma", "no-cache")]),
                .init(source: .cache)),
            .init(
                "Surrogate-Control and others are nothing",
                .init(response: [("Surrogate-Control", "max-age=9"), ("CDN-Cache-Control", "max-age=9")]),
                .init(source: .server)),
        ]

    @Test("K2 STORE, K3 LIFETIME: directives of a response", arguments: directivesScripts)
    func directives(script: CacheScript) async throws { try await script.run() }

    private static let variantsScripts: [CacheScript] = [
        varied(
            "three", ["Foo, Bar, Baz"], ["Foo": "1", "Bar": "2", "Baz": "3"], ["Baz": "3", "Bar": "2", "Foo": "1"],
            .cache),
        varied(
            "one of three is another", ["Foo, Bar, Baz"], ["Foo": "1", "Bar": "2", "Baz": "3"],
            ["Foo": "1", "Bar": "2", "Baz": "4"], .server),
        varied(
            "one of three is missing", ["Foo, Bar, Baz"], ["Foo": "1", "Bar": "2", "Baz": "3"],
            ["Foo": "1", "Baz": "3"], .server),
        varied("one was missing", ["Foo, Bar"], ["Foo": "1"], ["Foo": "1", "Bar": "2"], .server),
        varied("one is missing twice", ["Foo, Bar"], ["Foo": "1"], ["Foo": "1"], .cache),
        varied("two lines", ["Foo", "Bar"], ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "3"], .server),
        varied("two lines, the same", ["Foo", "Bar"], ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "2"], .cache),
        varied("odd white space", [" ,\tFoo ,, Bar\t,"], ["Foo": "1"], ["Foo": "2"], .server),
        varied("what is not named is nothing", ["Foo"], ["Foo": "1", "Bar": "1"], ["Foo": "1", "Bar": "2"], .cache),
        varied("an empty value is one", ["Foo"], ["Foo": ""], [:], .server),
        varied("an empty star", [", *"], [:], [:], .server),
        varied("star, star", ["*, *"], [:], [:], .server),
        varied("star in the first line", ["*", "Foo"], ["Foo": "1"], ["Foo": "1"], .server),
        varied("star in the second line", ["Foo", "*"], ["Foo": "1"], ["Foo": "1"], .server),
        varied("star, foo", ["*, Foo"], ["Foo": "1"], ["Foo": "1"], .server),
        varied("a case of its own", ["Foo"], ["Foo": "a"], ["Foo": "A"], .server),
        varied("an order of its own", ["Foo"], ["Foo": "a, b"], ["Foo": "b, a"], .server),
        varied("an empty member of its own", ["Foo"], ["Foo": "a,,b"], ["Foo": "a,b"], .server),
        varied("a semicolon of its own", ["Foo"], ["Foo": "a;"], ["Foo": "a"], .server),
        varied("white space within", ["Foo"], ["Foo": "a b"], ["Foo": "ab"], .server),
        varied(
            "weights", ["Accept-Language"], ["Accept-Language": "en;q=0.5, de"],
            ["Accept-Language": "DE,EN ; q=0.5"], .cache),
        varied(
            "other weights", ["Accept-Language"], ["Accept-Language": "en;q=0.5, de"],
            ["Accept-Language": "en, de;q=0.5"], .server),
        varied(
            "codings", ["Accept-Encoding"], ["Accept-Encoding": "gzip, br"], ["Accept-Encoding": "BR,gzip"], .cache),
    ]

    @Test(
        "K1 KEY: Vary compares a request's values as their fields define", arguments: variantsScripts)
    func variants(script: CacheScript) async throws { try await script.run() }
}
