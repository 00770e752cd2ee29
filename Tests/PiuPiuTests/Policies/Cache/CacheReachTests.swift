import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private let fresh = [("Cache-Control", "max-age=3600")]
private let tagged = [("Cache-Control", "max-age=1"), ("ETag", "\"a\"")]
private let dated = [("Cache-Control", "max-age=1"), ("Last-Modified", "@-10000")]

@Suite("HTTP cache: requests, failures and invalidation", .timeLimit(.minutes(10)))
struct CacheReachTests {
    private static let requestsScripts: [CacheScript] = [
        .init(
            "no-store", .init(response: fresh), .init(request: ["Cache-Control": "no-store"], source: .server),
            .init(source: .cache, sees: ["Number": "1"])),
        .init(
            "max-age below an age of its own", .init(response: fresh + [("Age", "1800")]),
            .init(request: ["Cache-Control": "max-age=600"], source: .server)),
        .init("max-age=1", .init(response: fresh), .init(request: ["Cache-Control": "max-age=1"], source: .server)),
        .init(
            "max-stale and an age of its own", .init(response: [("Cache-Control", "max-age=1500"), ("Age", "2000")]),
            .init(request: ["Cache-Control": "max-stale=1000"], source: .cache)),
        .init(
            "min-fresh and an age of its own", .init(response: [("Cache-Control", "max-age=1500"), ("Age", "1000")]),
            .init(request: ["Cache-Control": "min-fresh=1000"], source: .server)),
        .init(
            "no-cache, with a date", .init(response: fresh + dated.suffix(1)),
            .init(request: ["Cache-Control": "no-cache"], source: .date)),
        .init(
            "what is not valid is nothing", .init(response: fresh),
            .init(request: ["Cache-Control": "max-age=a, min-fresh=, max-stale=-1, foo"], source: .cache)),
        .init(
            "max-stale that is not valid is none", .init(response: tagged),
            .init(request: ["Cache-Control": "max-stale=a"], source: .etag)),
        .init("Pragma: foo", .init(response: fresh), .init(request: ["Pragma": "foo, x-no-cache"], source: .cache)),
        .init(
            "Pragma in any case", .init(response: fresh), .init(request: ["Pragma": "foo, No-Cache"], source: .server)),
        .init(
            "only-if-cached and a range",
            .init(request: ["Cache-Control": "only-if-cached", "Range": "bytes=0-1"], source: .gateway)),
        .init(
            "nothing but what there is, with a condition",
            .init(request: ["If-None-Match": "\"a\""], policy: .returnCacheDataDontLoad, source: .gateway)),
        .init(
            "nothing but what there is, for a POST",
            .init(method: "POST", policy: .returnCacheDataDontLoad, source: .gateway)),
    ]

    @Test("K7 REQUEST: what a request asks for, in detail", arguments: requestsScripts)
    func requests(script: CacheScript) async throws { try await script.run() }

    private static let failuresScripts: [CacheScript] =
        ["must-revalidate", "no-cache"].flatMap { directive in
            [TransferError.Kind.connectionLost, .cannotConnect, .timedOut].map { (error: TransferError.Kind) in
                CacheScript(
                    "\(directive), \(error.rawValue)",
                    .init(response: [("Cache-Control", "max-age=1, stale-if-error=60, \(directive)")]),
                    .init(error: error, source: .server))
            } + [
                CacheScript(
                    "\(directive), 503",
                    .init(response: [("Cache-Control", "max-age=1, stale-if-error=60, \(directive)")]),
                    .init(status: 503, source: .server))
            ]
        }
        + [500, 502, 503, 504].map { status in
            CacheScript(
                "stale-if-error, \(status)", .init(response: [("Cache-Control", "max-age=1, stale-if-error=60")]),
                .init(status: status, source: .cache, sees: ["Age": "3"]))
        }
        + [400, 403, 501, 505].map { status in
            CacheScript(
                "stale-if-error, \(status)", .init(response: [("Cache-Control", "max-age=1, stale-if-error=60")]),
                .init(status: status, source: .server))
        } + [
            .init("closed", .init(response: tagged), .init(error: .connectionLost, source: .cache)),
            .init(
                "closed, without an explicit lifetime", .init(response: [("Last-Modified", "@-10")]),
                .init(error: .connectionLost, source: .cache)),
            .init(
                "stale-if-error of 0", .init(response: [("Cache-Control", "max-age=3, stale-if-error=0")]),
                .init(status: 503, source: .cache), .init(status: 503, source: .server)),
            .init(
                "stale-if-error without a number", .init(response: [("Cache-Control", "max-age=1, stale-if-error")]),
                .init(status: 503, source: .server)),
            .init(
                "the request is content with so much", .init(response: tagged),
                .init(request: ["Cache-Control": "max-age=3"], error: .connectionLost, source: .cache)),
            .init(
                "the request wants a younger one", .init(response: tagged),
                .init(request: ["Cache-Control": "max-age=2"], error: .connectionLost, source: .server)),
            .init(
                "the request wants a fresher one", .init(response: tagged),
                .init(request: ["Cache-Control": "min-fresh=0"], error: .connectionLost, source: .server)),
            .init(
                "certificates are no failure of that kind",
                .init(response: [("Cache-Control", "max-age=1, stale-if-error=60")]),
                .init(error: .untrustedAuthority, source: .server)),
            .init(
                "a HEAD gets no stale answer", .init(response: [("Cache-Control", "max-age=1, stale-if-error=60")]),
                .init(method: "HEAD", error: .connectionLost, source: .server)),
            .init(
                "after it nothing has changed", .init(response: tagged), .init(error: .connectionLost, source: .cache),
                .init(source: .etag)),
        ]

    @Test("K5 STALE: after failures, in detail", arguments: failuresScripts)
    func failures(script: CacheScript) async throws { try await script.run() }

    private static let guarded = [("Cache-Control", "max-age=1, stale-if-error=60"), ("ETag", "\"a\"")]
    private static let worseScripts: [CacheScript] =
        [403, 429, 500, 503].flatMap { status in
            ["private", "public", "private, max-age=0"].map { control in
                CacheScript(
                    "\(status), \(control)", .init(response: tagged),
                    .init(status: status, response: [("Cache-Control", control)], source: .server),
                    .init(error: .cannotConnect, source: .cache, sees: ["Number": "1"]), .init(source: .etag))
            }
        } + [
            .init(
                "a reload that fails", .init(response: fresh),
                .init(
                    policy: .reloadIgnoringLocalCacheData, status: 500, response: [("Cache-Control", "private")],
                    source: .server),
                .init(source: .cache, sees: ["Number": "1"])),
            .init(
                "of another variant", .init(response: tagged + [("Vary", "Foo")]),
                .init(status: 500, response: [("Cache-Control", "private")], source: .server),
                .init(error: .cannotConnect, source: .cache, sees: ["Number": "1"])),
            .init(
                "served in place of each of several errors", .init(response: guarded),
                .init(status: 503, response: [("Cache-Control", "private")], source: .cache),
                .init(status: 503, response: [("Cache-Control", "private")], source: .cache, sees: ["Number": "1"])),
            .init(
                "served in place of an error with a lifetime", .init(response: guarded),
                .init(status: 503, response: fresh, source: .cache, sees: ["Number": "1"]),
                .init(status: 503, response: fresh, source: .cache, sees: ["Number": "1"]), .init(source: .etag)),
            .init(
                "an error with a lifetime is an answer", .init(response: tagged),
                .init(status: 503, response: fresh, source: .server),
                .init(source: .cache, sees: ["Number": "2"])),
            .init(
                "what is gone is gone", .init(response: tagged),
                .init(status: 404, response: [("Cache-Control", "private")], source: .server),
                .init(error: .cannotConnect, source: .cache, sees: ["Number": "2"])),
            .init(
                "better than nothing", .init(status: 500, response: [("Cache-Control", "private")]),
                .init(error: .cannotConnect, source: .cache, sees: ["Number": "1"]),
                .init(status: 503, response: [("Cache-Control", "private")], source: .server),
                .init(error: .cannotConnect, source: .cache, sees: ["Number": "3"])),
        ]

    @Test("K2 STORE, K5 STALE: an error replaces no better response", arguments: worseScripts)
    func worse(script: CacheScript) async throws { try await script.run() }

    private static let invalidationsScripts: [CacheScript] =
        ["Location", "Content-Location"].flatMap { name -> [CacheScript] in
            [
                .init(
                    "\(name), absolute", .init(response: fresh),
                    .init(method: "PUT", path: "/b/c", response: [(name, "http://HOST:80/a#x")]), .init(source: .server)
                ),
                .init(
                    "\(name), relative", .init(response: fresh),
                    .init(method: "PUT", path: "/b/c", response: [(name, "../a")]), .init(source: .server)),
                .init(
                    "\(name), another scheme", .init(response: fresh),
                    .init(method: "PUT", path: "/b", response: [(name, "https://host/a")]), .init(source: .cache)),
                .init(
                    "\(name), another port", .init(response: fresh),
                    .init(method: "PUT", path: "/b", response: [(name, "http://host:81/a")]), .init(source: .cache)),
                .init(
                    "\(name), in vain", .init(response: fresh),
                    .init(method: "PUT", path: "/b", status: 500, response: [(name, "/a")]), .init(source: .cache)),
                .init(
                    "\(name) of a GET", .init(response: fresh), .init(path: "/b", response: [(name, "/a")]),
                    .init(source: .cache)),
            ]
        } + [
            .init(
                "all variants", .init(request: ["Foo": "1"], response: fresh + [("Vary", "Foo")]),
                .init(request: ["Foo": "2"], response: fresh + [("Vary", "Foo")]), .init(method: "POST"),
                .init(request: ["Foo": "1"], source: .server), .init(request: ["Foo": "2"], source: .server)),
            .init(
                "of HEAD, too", .init(method: "HEAD", response: fresh), .init(method: "POST"),
                .init(method: "HEAD", source: .server)),
            .init(
                "another query stays", .init(path: "/a?b", response: fresh), .init(method: "POST"),
                .init(path: "/a?b", source: .cache)),
            .init(
                "a POST that brings what a GET would, by an empty reference",
                .init(method: "POST", response: fresh + [("Content-Location", "")]), .init(source: .cache)),
            .init(
                "a POST that brings it, and says not how long",
                .init(method: "POST", response: [("Content-Location", "/a"), ("Last-Modified", "@-10000")]),
                .init(source: .server)),
            .init(
                "a PUT brings nothing", .init(method: "PUT", response: fresh + [("Content-Location", "/a")]),
                .init(source: .server)),
        ]

    @Test("K8 INVALIDATE: Location, Content-Location and variants", arguments: invalidationsScripts)
    func invalidations(script: CacheScript) async throws { try await script.run() }
}
