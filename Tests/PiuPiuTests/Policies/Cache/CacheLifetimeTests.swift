import PiuPiu
import Testing

/// The server's freshness fields, and the source of the answer three seconds later.
private func reuse(
    _ name: String, _ fields: [(String, String)], status: Int = 200, _ source: CacheScript.Source
) -> CacheScript {
    CacheScript(name, .init(status: status, response: fields), .init(status: status, response: fields, source: source))
}

@Suite("HTTP cache: lifetimes", .timeLimit(.minutes(10)))
struct CacheLifetimeTests {
    private static let scripts: [CacheScript] =
        [
            reuse("nothing is said", [("Date", "@0")], .server),
            reuse("max-age", [("Date", "@0"), ("Cache-Control", "max-age=3600")], .cache),
            reuse("max-age without a date", [("Cache-Control", "max-age=3600")], .cache),
            reuse("max-age=0", [("Cache-Control", "max-age=0")], .server),
            reuse("max-age=2 is over", [("Cache-Control", "max-age=2")], .server),
            reuse("max-age=3 is over at its end", [("Cache-Control", "max-age=3")], .server),
            reuse("max-age=4", [("Cache-Control", "max-age=4")], .cache),
            reuse("max-age in any case", [("cache-control", "MaX-AgE=3600")], .cache),
            reuse("max-age in quotes", [("Cache-Control", "max-age=\"3600\"")], .cache),
            reuse("max-age in other quotes", [("Cache-Control", "max-age='3600'")], .server),
            reuse("max-age with leading zeros", [("Cache-Control", "max-age=003600")], .cache),
            reuse("max-age with a fraction", [("Cache-Control", "max-age=3600.0")], .server),
            reuse("max-age below zero", [("Cache-Control", "max-age=-3600")], .server),
            reuse("max-age with letters", [("Cache-Control", "max-age=3600s")], .server),
            reuse("max-age with a space before", [("Cache-Control", "max-age =3600")], .server),
            reuse("max-age with a space behind", [("Cache-Control", "max-age= 3600")], .server),
            reuse("max-age without a number", [("Cache-Control", "max-age")], .server),
            reuse("max-age beyond all numbers", [("Cache-Control", "max-age=99999999999999999999")], .cache),
            reuse("max-age beyond 31 bits", [("Cache-Control", "max-age=2147483649")], .cache),
            reuse("of two max-age the first", [("Cache-Control", "max-age=0, max-age=3600")], .server),
            reuse("in two lines too", [("Cache-Control", "max-age=0"), ("Cache-Control", "max-age=3600")], .server),
            reuse("max-age after others", [("Cache-Control", "public, a=b, , max-age=3600")], .cache),
            reuse("max-age in a quoted string", [("Cache-Control", "a=\"max-age=3600\"")], .server),
            reuse("max-age behind a quoted string", [("Cache-Control", "a=\"max-age=0, b\", max-age=3600")], .cache),
            reuse("a name that ends so", [("Cache-Control", "x-max-age=3600")], .server),
            reuse("s-maxage means nothing here", [("Cache-Control", "s-maxage=3600")], .server),
            reuse("max-age beside s-maxage", [("Cache-Control", "max-age=3600, s-maxage=0")], .cache),
            reuse("Expires", [("Date", "@0"), ("Expires", "@3600")], .cache),
            reuse("Expires without a date", [("Expires", "@3600")], .cache),
            reuse("Expires in the past", [("Date", "@0"), ("Expires", "@-10")], .server),
            reuse("Expires now", [("Date", "@0"), ("Expires", "@0")], .server),
            reuse("Expires of 0", [("Expires", "0")], .server),
            reuse("Expires counts from the date", [("Date", "@-3600"), ("Expires", "@1")], .server),
            reuse("max-age wins over Expires", [("Cache-Control", "max-age=3600"), ("Expires", "@-10")], .cache),
            reuse("max-age=0 wins over Expires", [("Cache-Control", "max-age=0"), ("Expires", "@3600")], .server),
            reuse("max-age wins over no date", [("Cache-Control", "max-age=3600"), ("Expires", "0")], .cache),
            reuse(
                "an invalid max-age is stale, whatever Expires says",
                [("Cache-Control", "max-age=a"), ("Expires", "@3600")], .server),
            reuse("Expires in the form of RFC 850", [("Expires", "Thursday, 18-Aug-50 02:01:18 GMT")], .cache),
            reuse("Expires in the form of asctime", [("Expires", "Thu Aug 18 02:01:18 2050")], .cache),
            reuse("Expires in any case", [("Expires", "THU, 18 AUG 2050 02:01:18 gmt")], .cache),
            reuse("Expires far away", [("Expires", "Sun, 21 Nov 2286 04:46:39 GMT")], .cache),
            reuse("Expires in another zone", [("Expires", "Thu, 18 Aug 2050 02:01:18 AEST")], .server),
            reuse("Expires in UTC", [("Expires", "Thu, 18 Aug 2050 02:01:18 UTC")], .server),
            reuse("Expires without a comma", [("Expires", "Thu 18 Aug 2050 02:01:18 GMT")], .server),
            reuse("Expires with more spaces", [("Expires", "Thu,  18  Aug  2050  02:01:18  GMT")], .server),
            reuse("Expires with dashes", [("Expires", "Thu, 18-Aug-2050 02:01:18 GMT")], .server),
            reuse("Expires with two digits", [("Expires", "Thu, 18 Aug 50 02:01:18 GMT")], .server),
            reuse("Expires with an hour of one digit", [("Expires", "Thu, 18 Aug 2050 2:01:18 GMT")], .server),
            reuse("Expires with periods", [("Expires", "Thu, 18 Aug 2050 02.01.18 GMT")], .server),
            reuse("a tenth of the time without a change", [("Date", "@0"), ("Last-Modified", "@-40")], .cache),
            reuse("that is over", [("Date", "@0"), ("Last-Modified", "@-20")], .date),
        ]
        + [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].map { status in
            reuse("\(status) is kept by itself", [("Last-Modified", "@-10000")], status: status, .cache)
        }
        + [201, 202, 302, 307, 400, 403, 500, 502, 503, 504, 599].map { status in
            reuse("\(status) isn't", [("Last-Modified", "@-10000")], status: status, .server)
        } + [
            reuse("599 with public", [("Last-Modified", "@-10000"), ("Cache-Control", "public")], status: 599, .cache),
            reuse("no heuristics beside an invalid Expires", [("Last-Modified", "@-10000"), ("Expires", "0")], .date),
        ]
        + [200, 203, 204, 299, 302, 400, 403, 404, 410, 499, 500, 503, 599].map { status in
            reuse("a fresh \(status)", [("Cache-Control", "max-age=3600")], status: status, .cache)
        }
        + [206, 304].map { status in
            reuse("a fresh \(status) is none of its own", [("Cache-Control", "max-age=3600")], status: status, .server)
        }

    @Test("K2 STORE, K3 LIFETIME: only fresh responses are used again", arguments: scripts)
    func lifetime(script: CacheScript) async throws { try await script.run() }
}
