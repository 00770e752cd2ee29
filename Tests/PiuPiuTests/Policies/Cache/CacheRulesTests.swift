import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: rules", .timeLimit(.minutes(10)))
struct CacheRulesTests {
    private static let fresh = [("Cache-Control", "max-age=3600")]
    private static let stale = [("Cache-Control", "max-age=1"), ("ETag", "\"a\"")]

    private static let ageScripts: [CacheScript] = [
        .init("an age of its own", .init(response: fresh + [("Age", "3598")]), .init(source: .server)),
        .init(
            "a younger one", .init(response: fresh + [("Age", "3596")]), .init(source: .cache, sees: ["Age": "3599"])),
        .init("the age is told", .init(response: fresh), .init(source: .cache, sees: ["Age": "3"])),
        .init("an old date", .init(response: fresh + [("Date", "@-3600")]), .init(source: .server)),
        .init(
            "a date to come", .init(response: fresh + [("Date", "@3600")]), .init(source: .cache, sees: ["Age": "3"])),
        .init("no number", .init(response: fresh + [("Age", "abc")]), .init(source: .cache)),
        .init("below zero", .init(response: fresh + [("Age", "-7200")]), .init(source: .cache)),
        .init("a fraction", .init(response: fresh + [("Age", "7200.0")]), .init(source: .cache)),
        .init("a parameter", .init(response: fresh + [("Age", "7200;a=b")]), .init(source: .cache)),
        .init("31 bits", .init(response: fresh + [("Age", "2147483648")]), .init(source: .server)),
        .init("no end", .init(response: fresh + [("Age", "99999999999999999999")]), .init(source: .server)),
        .init("the first of two", .init(response: fresh + [("Age", "7200, 0")]), .init(source: .server)),
        .init(
            "the first of two lines", .init(response: fresh + [("Age", "0"), ("Age", "7200")]), .init(source: .cache)),
    ]

    @Test("K4 AGE: computed as in section 4.2.3, and sent on reuse", arguments: ageScripts)
    func age(script: CacheScript) async throws { try await script.run() }

    private static let storeScripts: [CacheScript] = [
        .init("no-store", .init(response: [("Cache-Control", "no-store, max-age=3600")]), .init(source: .server)),
        .init("in any case", .init(response: [("Cache-Control", "No-StOrE, max-age=3600")]), .init(source: .server)),
        .init("private", .init(response: [("Cache-Control", "private, max-age=3600")]), .init(source: .cache)),
        .init(
            "to a request without it", .init(request: ["Cache-Control": "no-store"], response: fresh),
            .init(source: .server)),
        .init(
            "must-understand", .init(response: [("Cache-Control", "no-store, must-understand, max-age=9")]),
            .init(source: .cache)),
        .init(
            "must-understand, not understood",
            .init(status: 299, response: [("Cache-Control", "must-understand, max-age=9")]), .init(source: .server)),
        .init("a rejected credential", .init(status: 401, response: fresh), .init(source: .server)),
        .init("one for a proxy", .init(status: 407, response: fresh), .init(source: .server)),
        .init("Vary: *", .init(response: fresh + [("Vary", "*")]), .init(source: .server)),
        .init("Vary: a, *", .init(response: fresh + [("Vary", "a, *")]), .init(source: .server)),
        .init(
            "with Set-Cookie", .init(response: fresh + [("Set-Cookie", "a=b")]),
            .init(source: .cache, sees: ["Set-Cookie": "a=b"])),
        .init("other methods", .init(method: "OPTIONS", response: fresh), .init(method: "OPTIONS", source: .server)),
        .init(
            "a POST", .init(method: "POST", response: fresh), .init(method: "POST", source: .server),
            .init(source: .server)),
        .init(
            "a POST that brings what a GET would",
            .init(method: "POST", response: fresh + [("Content-Location", "/a")]),
            .init(source: .cache), .init(method: "POST", source: .server)),
        .init(
            "a POST of something else", .init(method: "POST", response: fresh + [("Content-Location", "/b")]),
            .init(source: .server)),
        .init("a part", .init(request: ["Range": "bytes=0-1"], response: fresh), .init(source: .server)),
        .init("another query", .init(response: fresh), .init(path: "/a?b", source: .server)),
        .init("another fragment", .init(response: fresh), .init(path: "/a#b", source: .cache)),
        .init("a host in any case", .init(response: fresh), .init(path: "", source: .server)),
    ]

    @Test("K1 KEY, K2 STORE: which responses are stored", arguments: storeScripts)
    func store(script: CacheScript) async throws { try await script.run() }

    private static let fieldsScripts: [CacheScript] = [
        .init(
            "those of one hop",
            .init(
                response: fresh + [
                    ("Connection", "a, close"), ("a", "1"), ("b", "2"), ("Keep-Alive", "1"), ("TE", "1"),
                    ("Upgrade", "1"),
                    ("Proxy-Authenticate", "1"), ("Proxy-Authentication-Info", "1"), ("Proxy-Authorization", "1"),
                    ("Proxy-Connection", "1"), ("Content-Foo", "1"), ("Clear-Site-Data", "1"), ("X-Frame-Options", "1"),
                ]),
            .init(
                source: .cache,
                sees: [
                    "Connection": "-", "a": "-", "b": "2", "Keep-Alive": "-", "TE": "-", "Upgrade": "-",
                    "Proxy-Authenticate": "-", "Proxy-Authentication-Info": "-", "Proxy-Authorization": "-",
                    "Proxy-Connection": "-", "Content-Foo": "1", "Clear-Site-Data": "1", "X-Frame-Options": "1",
                ])),
        .init(
            "those that no-cache names",
            .init(response: [("Cache-Control", "no-cache=\"a, B\""), ("a", "1"), ("b", "2"), ("c", "3")] + fresh),
            .init(source: .cache, sees: ["a": "-", "b": "-", "c": "3"])),
        .init(
            "the date stays", .init(response: fresh + [("Date", "@-5")]),
            .init(source: .cache, sees: ["Date": WallClock.text(WallClock.start - 5)])),
    ]

    @Test("K9 FIELDS: hop-by-hop fields are dropped, all others are kept", arguments: fieldsScripts)
    func fields(script: CacheScript) async throws { try await script.run() }

    private static let requestScripts: [CacheScript] = [
        .init("no-cache", .init(response: fresh), .init(request: ["Cache-Control": "no-cache"], source: .server)),
        .init("Pragma", .init(response: fresh), .init(request: ["Pragma": "no-cache"], source: .server)),
        .init(
            "Pragma beside Cache-Control", .init(response: fresh),
            .init(request: ["Pragma": "no-cache", "Cache-Control": "a"], source: .cache)),
        .init(
            "no-cache, with a tag", .init(response: fresh + [("ETag", "\"a\"")]),
            .init(request: ["Cache-Control": "no-cache"], source: .etag)),
        .init("max-age=0", .init(response: fresh), .init(request: ["Cache-Control": "max-age=0"], source: .server)),
        .init("max-age=2", .init(response: fresh), .init(request: ["Cache-Control": "max-age=2"], source: .server)),
        .init("max-age=3", .init(response: fresh), .init(request: ["Cache-Control": "max-age=3"], source: .cache)),
        .init("min-fresh", .init(response: fresh), .init(request: ["Cache-Control": "min-fresh=3597"], source: .cache)),
        .init(
            "min-fresh, too much", .init(response: fresh),
            .init(request: ["Cache-Control": "min-fresh=3598"], source: .server)),
        .init("max-stale", .init(response: stale), .init(request: ["Cache-Control": "max-stale"], source: .cache)),
        .init("max-stale=2", .init(response: stale), .init(request: ["Cache-Control": "max-stale=2"], source: .cache)),
        .init("max-stale=1", .init(response: stale), .init(request: ["Cache-Control": "max-stale=1"], source: .etag)),
        .init(
            "max-stale and must-revalidate",
            .init(response: [("Cache-Control", "max-age=1, must-revalidate"), ("ETag", "\"a\"")]),
            .init(request: ["Cache-Control": "max-stale"], source: .etag)),
        .init(
            "only-if-cached", .init(response: fresh),
            .init(request: ["Cache-Control": "only-if-cached"], source: .cache)),
        .init("only-if-cached, nothing is", .init(request: ["Cache-Control": "only-if-cached"], source: .gateway)),
        .init(
            "only-if-cached, stale", .init(response: stale),
            .init(request: ["Cache-Control": "only-if-cached"], source: .gateway)),
        .init(
            "reload", .init(response: fresh),
            .init(policy: .reloadIgnoringLocalCacheData, response: fresh, source: .server), .init(source: .cache)),
        .init(
            "reload, caches on the way too", .init(response: fresh),
            .init(policy: .reloadIgnoringLocalAndRemoteCacheData, source: .server)),
        .init("whatever there is", .init(response: stale), .init(policy: .returnCacheDataElseLoad, source: .cache)),
        .init("whatever there is, else the server", .init(policy: .returnCacheDataElseLoad, source: .server)),
        .init(
            "nothing but what there is", .init(response: stale), .init(policy: .returnCacheDataDontLoad, source: .cache)
        ),
        .init("nothing but what there is, which is nothing", .init(policy: .returnCacheDataDontLoad, source: .gateway)),
        .init(
            "validate", .init(response: fresh + [("ETag", "\"a\"")]),
            .init(policy: .reloadRevalidatingCacheData, source: .etag)),
    ]

    @Test("K7 REQUEST: what a request asks for", arguments: requestScripts)
    func request(script: CacheScript) async throws { try await script.run() }

    private static let dated = [("Cache-Control", "max-age=1"), ("Last-Modified", "@-10000")]
    private static let validateScripts: [CacheScript] = [
        .init("a tag", .init(response: stale), .init(response: fresh, source: .etag), .init(source: .cache)),
        .init("a weak tag", .init(response: [("ETag", "W/\"a\"")]), .init(source: .etag)),
        .init("a tag without quotes", .init(response: [("ETag", "a")]), .init(source: .etag)),
        .init("a date", .init(response: dated), .init(response: fresh, source: .date), .init(source: .cache)),
        .init(
            "no-cache", .init(response: [("Cache-Control", "max-age=9, no-cache"), ("ETag", "\"a\"")]),
            .init(source: .etag)),
        .init("nothing to validate with", .init(response: [("Cache-Control", "max-age=1")]), .init(source: .server)),
        .init(
            "the 304 renews fields",
            .init(
                response: stale + [
                    ("a", "1"), ("b", "2"), ("Content-Type", "text/a"), ("Content-Encoding", "x"), ("Age", "100"),
                ]),
            .init(
                response: fresh + [
                    ("a", "3"), ("Content-Type", "text/b"), ("Content-Encoding", "y"), ("ETag", "\"a\""),
                ], source: .etag,
                sees: [
                    "a": "3", "b": "2", "Content-Type": "text/a", "Content-Encoding": "x", "Age": "0", "Number": "2",
                ]),
            .init(source: .cache, sees: ["a": "3", "b": "2", "Content-Type": "text/a", "Age": "3"])),
        .init(
            "a 304 that means another one", .init(response: stale), .init(response: [("ETag", "\"b\"")], source: .etag)),
        .init(
            "a condition of the caller's", .init(response: fresh),
            .init(request: ["If-None-Match": "\"x\""], status: 304, source: .server)),
    ]

    @Test(
        "K6 VALIDATE: validators are sent, and the answer renews the response",
        arguments: validateScripts.filter { !$0.name.contains("another one") })
    func validate(script: CacheScript) async throws { try await script.run() }

    private static let errorsScripts: [CacheScript] = [
        .init("disconnected", .init(response: stale), .init(error: .cannotConnect, source: .cache)),
        .init(
            "must-revalidate", .init(response: [("Cache-Control", "max-age=1, must-revalidate")]),
            .init(error: .cannotConnect)),
        .init("no-cache", .init(response: [("Cache-Control", "max-age=9, no-cache")]), .init(error: .cannotConnect)),
        .init(
            "the request wants no less", .init(response: stale),
            .init(request: ["Cache-Control": "no-cache"], error: .cannotConnect)),
        .init("503", .init(response: stale), .init(status: 503, source: .server)),
        .init(
            "503 and stale-if-error", .init(response: [("Cache-Control", "max-age=1, stale-if-error=60")]),
            .init(status: 503, source: .cache)),
        .init(
            "503, too late", .init(response: [("Cache-Control", "max-age=1, stale-if-error=1")]),
            .init(status: 503, source: .server)),
        .init(
            "503, asked for", .init(response: [("Cache-Control", "max-age=1")]),
            .init(request: ["Cache-Control": "stale-if-error=60"], status: 503, source: .cache)),
        .init(
            "timed out", .init(response: [("Cache-Control", "max-age=1, stale-if-error=60")]),
            .init(error: .timedOut, source: .cache)),
        .init(
            "404 is an answer", .init(response: [("Cache-Control", "max-age=1, stale-if-error=60")]),
            .init(status: 404, source: .server)),
        .init("nothing is kept", .init(error: .cannotConnect)),
    ]

    @Test("K5 STALE: a stale response answers only where that is allowed", arguments: errorsScripts)
    func stale(script: CacheScript) async throws { try await script.run() }

    private static let invalidationScripts: [CacheScript] =
        ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"].flatMap { method -> [CacheScript] in
            [
                .init(method, .init(response: fresh), .init(method: method), .init(source: .server)),
                .init(
                    "\(method), redirected", .init(response: fresh), .init(method: method, status: 303),
                    .init(source: .server)),
                .init(
                    "\(method), in vain", .init(response: fresh), .init(method: method, status: 500),
                    .init(source: .cache)),
                .init(
                    "\(method), refused", .init(response: fresh), .init(method: method, status: 404),
                    .init(source: .cache)),
                .init(
                    "\(method), Location", .init(response: fresh),
                    .init(method: method, path: "/b", response: [("Location", "/a")]), .init(source: .server)),
                .init(
                    "\(method), Content-Location", .init(response: fresh),
                    .init(method: method, path: "/b", response: [("Content-Location", "a")]), .init(source: .server)),
                .init(
                    "\(method), of others", .init(response: fresh),
                    .init(method: method, path: "/b", response: [("Location", "http://other/a")]), .init(source: .cache)
                ),
            ]
        } + [.init("OPTIONS is safe", .init(response: fresh), .init(method: "OPTIONS"), .init(source: .cache))]

    @Test("K8 INVALIDATE: an unsafe method invalidates if it succeeds", arguments: invalidationScripts)
    func invalidation(script: CacheScript) async throws { try await script.run() }

    private static func vary(
        _ name: String, _ field: String, _ first: [String: String], _ second: [String: String],
        _ source: CacheScript.Source
    ) -> CacheScript {
        .init(
            "\(name): \(field)", .init(request: first, response: fresh + [("Vary", field)]),
            .init(request: second, response: fresh + [("Vary", field)], source: source))
    }

    private static let variantsScripts: [CacheScript] = [
        vary("the same", "Foo", ["Foo": "1"], ["Foo": "1"], .cache),
        vary("another", "Foo", ["Foo": "1"], ["Foo": "2"], .server),
        vary("none", "Foo", ["Foo": "1"], [:], .server),
        vary("none at first", "Foo", [:], ["Foo": "1"], .server),
        vary("none twice", "Foo", [:], [:], .cache),
        vary("in any case", "fOO", ["Foo": "1"], ["foo": "1"], .cache),
        vary("two", "Foo, Bar", ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "2"], .cache),
        vary("one of two", "Foo, Bar", ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "3"], .server),
        vary("white space", "Foo", ["Foo": "1, 2"], ["Foo": "1,2"], .cache),
        vary("but not in quotes", "Foo", ["Foo": "\"1, 2\""], ["Foo": "\"1,2\""], .server),
        vary(
            "languages in another order and case", "Accept-Language", ["Accept-Language": "en, DE"],
            ["Accept-Language": "de,EN"], .cache),
        .init(
            "two variants", .init(request: ["Foo": "1"], response: fresh + [("Vary", "Foo")]),
            .init(request: ["Foo": "2"], response: fresh + [("Vary", "Foo")], source: .server),
            .init(request: ["Foo": "1"], source: .cache, sees: ["Number": "1"]),
            .init(request: ["Foo": "2"], source: .cache, sees: ["Number": "2"])),
        .init(
            "the newest of several", .init(request: ["Foo": "1"], response: fresh + [("Vary", "Foo")]),
            .init(
                request: ["Foo": "1", "Bar": "1", "Cache-Control": "no-cache"], response: fresh + [("Vary", "Bar")],
                source: .server),
            .init(request: ["Foo": "1", "Bar": "1"], source: .cache, sees: ["Number": "2"])),
        .init(
            "a tag of another variant",
            .init(request: ["Foo": "1"], response: fresh + [("Vary", "Foo"), ("ETag", "\"a\"")]),
            .init(request: ["Foo": "2"], response: fresh + [("Vary", "Foo"), ("ETag", "\"a\"")], source: .etag),
            .init(request: ["Foo": "2"], source: .cache), .init(request: ["Foo": "1"], source: .cache)),
    ]

    @Test("K1 KEY: variants", arguments: variantsScripts)
    func variants(script: CacheScript) async throws { try await script.run() }

    private static let headScripts: [CacheScript] = [
        .init("a GET answers a HEAD", .init(response: fresh), .init(method: "HEAD", source: .cache)),
        .init("a HEAD answers no GET", .init(method: "HEAD", response: fresh), .init(source: .server)),
        .init("a HEAD answers a HEAD", .init(method: "HEAD", response: fresh), .init(method: "HEAD", source: .cache)),
        .init(
            "a HEAD renews", .init(response: stale),
            .init(method: "HEAD", response: fresh + [("ETag", "\"a\""), ("a", "1")], source: .server),
            .init(source: .cache, sees: ["a": "1"])),
        .init(
            "a HEAD tells of something else", .init(response: stale),
            .init(method: "HEAD", response: fresh + [("ETag", "\"b\"")], source: .server),
            .init(source: .server)),
    ]

    @Test("K1 KEY, K6 VALIDATE: HEAD", arguments: headScripts)
    func head(script: CacheScript) async throws { try await script.run() }
}
