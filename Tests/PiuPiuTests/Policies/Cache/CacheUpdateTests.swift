import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private let fresh = [("Cache-Control", "max-age=3600")]
private let tagged = [("Cache-Control", "max-age=1"), ("ETag", "\"a\"")]
private let dated = [("Cache-Control", "max-age=1"), ("Last-Modified", "@-10000")]
private let understood = ("Cache-Control", "max-age=9, must-understand, no-store")

@Suite("HTTP cache: updates by newer responses", .timeLimit(.minutes(10)))
struct CacheUpdateTests {
    /// One script whose 304 changes the field, and one whose 304 leaves it out.
    private static func update(
        _ name: String, _ old: String, _ new: String, by source: CacheScript.Source, isUpdated: Bool
    ) -> [CacheScript] {
        let stale = source == .etag ? tagged : dated, validator = stale.suffix(1), seen = isUpdated ? new : old
        let changed = CacheScript(
            "\(name), by \(source.rawValue)", .init(response: stale + [(name, old)]),
            .init(response: fresh + validator + [(name, new)], source: source, sees: [name: seen]),
            .init(source: .cache, sees: [name: seen]))
        let leftOut = CacheScript(
            "\(name), left out, by \(source.rawValue)", .init(response: stale + [(name, old)]),
            .init(response: fresh + validator, source: source, sees: [name: old]),
            .init(source: .cache, sees: [name: old]))
        return [changed, leftOut]
    }

    private static let ofBody = [
        ("Content-Encoding", "a", "b"), ("Content-Type", "a/a", "a/b"), ("Content-Length", "6", "10"),
        ("Content-Range", "bytes 1-5/10", "bytes 6-10/10"),
    ]
    private static let others = [
        "Test-Header", "X-Test-Header", "Content-Foo", "X-Content-Foo", "Content-Location", "Content-MD5",
        "Content-Security-Policy", "Clear-Site-Data", "Public-Key-Pins", "Set-Cookie", "Set-Cookie2",
        "X-Frame-Options", "X-XSS-Protection", "Expires", "Content-Language",
    ]
    private static let updateScripts: [CacheScript] = [CacheScript.Source.etag, .date].flatMap { source in
        ofBody.flatMap { update($0.0, $0.1, $0.2, by: source, isUpdated: false) }
            + others.flatMap { update($0, "a", "b", by: source, isUpdated: true) }
    }

    private static let fieldsScripts: [CacheScript] = [
        .init(
            "those of one hop", .init(response: tagged),
            .init(
                response: fresh + [("Connection", "a"), ("a", "1"), ("Keep-Alive", "1"), ("Upgrade", "1")],
                source: .etag, sees: ["Connection": "-", "a": "-", "Keep-Alive": "-", "Upgrade": "-"])),
        .init(
            "the stored no-cache names fields of the 304, too",
            .init(response: [("Cache-Control", "max-age=1, no-cache=\"a\""), ("ETag", "\"a\""), ("a", "1")]),
            .init(
                response: [("ETag", "\"a\""), ("a", "2"), ("b", "3")], source: .etag, sees: ["a": "-", "b": "3"])),
        .init(
            "the no-cache of the 304 names stored fields, too", .init(response: tagged + [("a", "1")]),
            .init(response: [("Cache-Control", "max-age=9, no-cache=\"a\"")], source: .etag, sees: ["a": "-"])),
        .init(
            "two lines for one", .init(response: tagged + [("a", "1")]),
            .init(response: fresh + [("A", "2"), ("a", "3")], source: .etag, sees: ["a": "2, 3"])),
    ]

    @Test(
        "K6 VALIDATE: a 304 updates every stored field except the body's",
        arguments: updateScripts + fieldsScripts)
    func fields(script: CacheScript) async throws { try await script.run() }

    private static let validationsScripts: [CacheScript] = [
        .init(
            "tag and date are sent as they came",
            .init(response: [("ETag", "W/\"a,\\b\""), ("Last-Modified", "thu, 18-Aug-05 02:01:18 gmt")]),
            .init(
                source: .etag,
                sends: ["If-None-Match": "W/\"a,\\b\"", "If-Modified-Since": "thu, 18-Aug-05 02:01:18 gmt"])),
        .init(
            "a tag without quotes, the first of two", .init(response: [("ETag", "a"), ("ETag", "\"b\"")]),
            .init(source: .etag, sends: ["If-None-Match": "a", "If-Modified-Since": "-"])),
        .init(
            "without validators", .init(response: tagged + dated.suffix(1)), .init(response: fresh, source: .etag),
            .init(source: .cache, sees: ["ETag": "\"a\""])),
        .init(
            "by the date, with a tag stored", .init(response: tagged + dated.suffix(1)),
            .init(response: fresh + dated.suffix(1), source: .etag), .init(source: .cache)),
        .init(
            "weak for strong", .init(response: tagged), .init(response: fresh + [("ETag", "W/\"a\"")], source: .etag),
            .init(source: .cache)),
        .init(
            "without Cache-Control what was said counts from now",
            .init(response: [("Cache-Control", "max-age=4"), ("ETag", "\"a\"")], pause: 9),
            .init(source: .etag), .init(source: .cache, pause: 9), .init(source: .etag)),
        .init(
            "its age counts", .init(response: tagged),
            .init(response: fresh + [("Age", "3598")], source: .etag, pause: 1),
            .init(source: .cache, sees: ["Age": "3599"]), .init(source: .etag)),
        .init(
            "its delay counts", .init(response: tagged),
            .init(response: [("Cache-Control", "max-age=6")], source: .etag, pause: 1, delay: 5), .init(source: .etag)),
        .init(
            "its date counts", .init(response: tagged + [("Date", "@0")]),
            .init(response: fresh + [("Date", "@-3597")], source: .etag), .init(source: .etag)),
        .init(
            "a date that it has not got", .init(response: tagged + [("Date", "@0")], pause: 5000),
            .init(response: fresh, source: .etag), .init(source: .cache, sees: ["Age": "3", "Date": "-"])),
        .init(
            "with no-store", .init(response: tagged), .init(response: [("Cache-Control", "no-store")], source: .etag),
            .init(source: .server, sends: ["If-None-Match": "-"])),
        .init(
            "with must-understand and no-store", .init(response: [understood, ("ETag", "\"a\"")], pause: 12),
            .init(response: [understood], source: .etag), .init(source: .cache, pause: 12), .init(source: .etag)),
        .init(
            "with no-cache", .init(response: tagged),
            .init(response: [("Cache-Control", "max-age=9, no-cache")], source: .etag),
            .init(source: .etag)),
        .init(
            "with Vary: *", .init(response: tagged), .init(response: fresh + [("Vary", "*")], source: .etag),
            .init(source: .server, sends: ["If-None-Match": "-"])),
        .init(
            "with a Vary of its own", .init(request: ["Foo": "1"], response: tagged),
            .init(request: ["Foo": "2"], response: fresh + [("Vary", "Foo")], source: .etag),
            .init(request: ["Foo": "2"], source: .cache), .init(request: ["Foo": "3"], source: .etag)),
        .init(
            "with the same Vary, for another variant",
            .init(request: ["Foo": "1"], response: fresh + [("ETag", "\"a\""), ("Vary", "Foo")]),
            .init(request: ["Foo": "2"], response: fresh + [("ETag", "\"a\""), ("Vary", "Foo")], source: .etag),
            .init(request: ["Foo": "2"], source: .cache), .init(request: ["Foo": "1"], source: .cache)),
        .init(
            "a 200 in its place", .init(response: tagged), .init(response: fresh, source: .server),
            .init(source: .cache, sees: ["Number": "2"])),
        .init(
            "a 200 that is not kept", .init(response: tagged),
            .init(response: [("Cache-Control", "no-store")], source: .server),
            .init(source: .server, sends: ["If-None-Match": "-"])),
        .init(
            "a 410 that is not kept", .init(response: tagged),
            .init(status: 410, response: [("Cache-Control", "no-store")], source: .server),
            .init(source: .server, sends: ["If-None-Match": "-"])),
        .init(
            "reload, a 410 that is not kept", .init(response: fresh),
            .init(
                policy: .reloadIgnoringLocalCacheData, status: 410, response: [("Cache-Control", "no-store")],
                source: .server),
            .init(source: .server)),
        .init(
            "reload, Vary: *", .init(response: fresh),
            .init(policy: .reloadIgnoringLocalCacheData, response: fresh + [("Vary", "*")], source: .server),
            .init(source: .server)),
        .init(
            "reload, of another variant", .init(request: ["Foo": "1"], response: fresh + [("Vary", "Foo")]),
            .init(
                request: ["Foo": "2"], policy: .reloadIgnoringLocalCacheData,
                response: [("Cache-Control", "no-store")], source: .server),
            .init(request: ["Foo": "1"], source: .cache)),
        .init(
            "a condition of the caller's, answered by what is not kept", .init(response: fresh),
            .init(request: ["If-None-Match": "\"x\""], response: [("Cache-Control", "no-store")], source: .server),
            .init(source: .server)),
        .init(
            "a 500 changes nothing", .init(response: tagged), .init(status: 500, source: .server), .init(source: .etag)),
        .init(
            "no-cache in any case", .init(response: [("Cache-Control", "max-age=9, NO-cache"), ("ETag", "\"a\"")]),
            .init(source: .etag)),
        .init(
            "must-revalidate, fresh",
            .init(response: [("Cache-Control", "max-age=9, must-revalidate"), ("ETag", "\"a\"")]),
            .init(source: .cache),
            .init(source: .cache), .init(source: .etag)),
        .init(
            "immutable, no longer fresh",
            .init(response: [("Cache-Control", "max-age=1, immutable"), ("ETag", "\"a\"")]), .init(source: .etag)),
        .init(
            "a condition of the caller's, answered by 200", .init(response: fresh),
            .init(request: ["If-None-Match": "\"x\""], response: fresh, source: .server),
            .init(source: .cache, sees: ["Number": "2"])),
        .init(
            "a date of the caller's", .init(response: fresh + dated.suffix(1)),
            .init(request: ["If-Modified-Since": "Thu, 18 Aug 2050 02:01:18 GMT"], status: 304, source: .server),
            .init(source: .cache)),
        .init(
            "a range with a condition", .init(response: fresh),
            .init(request: ["Range": "bytes=0-1", "If-Range": "\"a\""], response: fresh, source: .server),
            .init(source: .cache, sees: ["Number": "1"])),
    ]

    @Test(
        "K6 VALIDATE: how a 304, or an answer in its place, changes the stored response", arguments: validationsScripts)
    func validations(script: CacheScript) async throws { try await script.run() }

    private static let headsScripts: [CacheScript] = [
        .init(
            "another status", .init(status: 404, response: tagged),
            .init(method: "HEAD", response: fresh + [("ETag", "\"a\"")], source: .server),
            .init(source: .server, sends: ["If-None-Match": "-"])),
        .init(
            "asks without conditions", .init(response: tagged + dated.suffix(1)),
            .init(
                method: "HEAD", source: .server, sends: ["If-None-Match": "-", "If-Modified-Since": "-"])),
        .init(
            "renews what is stale", .init(response: dated + [("a", "1")]),
            .init(method: "HEAD", response: fresh + dated.suffix(1) + [("a", "2")], source: .server),
            .init(source: .cache, sees: ["a": "2", "Number": "2"])),
        .init(
            "goes through where nothing is fresh", .init(response: tagged), .init(method: "HEAD", source: .server)),
        .init(
            "another date", .init(response: dated),
            .init(method: "HEAD", response: fresh + [("Last-Modified", "@-9000")], source: .server),
            .init(source: .server)),
        .init(
            "another length", .init(response: tagged + [("Content-Length", "6")]),
            .init(method: "HEAD", response: fresh + [("Content-Length", "7")], source: .server),
            .init(source: .server)),
        .init(
            "the same length", .init(response: tagged + [("Content-Length", "6")]),
            .init(method: "HEAD", response: fresh + [("Content-Length", "6")], source: .server), .init(source: .cache)),
        .init(
            "of another variant", .init(request: ["Foo": "1"], response: tagged + [("Vary", "Foo")]),
            .init(
                method: "HEAD", request: ["Foo": "2"], response: fresh + [("Vary", "Foo"), ("ETag", "\"b\"")],
                source: .server),
            .init(request: ["Foo": "1"], source: .etag)),
        .init(
            "an error changes nothing", .init(response: tagged),
            .init(method: "HEAD", status: 500, response: fresh + [("ETag", "\"b\"")], source: .server),
            .init(source: .etag)),
        .init(
            "with no-store", .init(response: tagged),
            .init(method: "HEAD", response: [("Cache-Control", "no-store")], source: .server),
            .init(source: .server, sends: ["If-None-Match": "-"])),
        .init(
            "with must-understand and no-store", .init(response: tagged),
            .init(method: "HEAD", response: [understood, ("ETag", "\"a\"")], source: .server), .init(source: .cache)),
        .init(
            "asked with no-store", .init(response: tagged + [("a", "1")]),
            .init(
                method: "HEAD", request: ["Cache-Control": "no-store"],
                response: fresh + [("ETag", "\"a\""), ("a", "2")], source: .server),
            .init(source: .etag, sees: ["a": "1"])),
        .init(
            "asked with no-store, of another response", .init(response: tagged),
            .init(
                method: "HEAD", request: ["Cache-Control": "no-store"], response: fresh + [("ETag", "\"b\"")],
                source: .server),
            .init(source: .server, sends: ["If-None-Match": "-"])),
        .init(
            "its length is that of a GET", .init(method: "HEAD", response: fresh + [("Content-Length", "100")]),
            .init(method: "HEAD", source: .cache, sees: ["Content-Length": "100"])),
    ]

    @Test("K6 VALIDATE: HEAD renews what it describes (RFC 9111, section 4.3.5)", arguments: headsScripts)
    func heads(script: CacheScript) async throws { try await script.run() }
}
