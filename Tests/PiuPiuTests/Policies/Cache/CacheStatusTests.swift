import PiuPiu
import Testing

@Suite("Cache-Status (RFC 9211)", .timeLimit(.minutes(10)))
struct CacheStatusTests {
    @Test("K11 STATUS: a status is written as RFC 9211 says, and reads back the same")
    func description() {
        let statuses: [(CacheStatus, String)] = [
            (CacheStatus(), "PiuPiu"), (CacheStatus(isHit: true, ttl: 376), "PiuPiu; hit; ttl=376"),
            (CacheStatus(isHit: true, ttl: -412), "PiuPiu; hit; ttl=-412"),
            (
                CacheStatus(forward: .uriMiss, forwardStatus: 200, isStored: true),
                "PiuPiu; fwd=uri-miss; fwd-status=200; stored"
            ),
            (
                CacheStatus(forward: .stale, forwardStatus: 304, isCollapsed: true),
                "PiuPiu; fwd=stale; fwd-status=304; collapsed"
            ),
            (
                CacheStatus(cache: "CDN Company", isHit: true, key: "/a \"b\"", detail: "MEMORY"),
                #""CDN Company"; hit; key="/a \"b\""; detail=MEMORY"#
            ),
            (CacheStatus(cache: "a.example:8080", detail: "a b"), #"a.example:8080; detail="a b""#),
            (CacheStatus(forward: .other("odd one")), #"PiuPiu; fwd="odd one""#),
        ]
        for (status, field) in statuses {
            #expect(status.description == field && CacheStatus.parse([field]) == [status])
        }
    }

    @Test("K11 STATUS: each reason to go forward has its token, and an unknown one is kept")
    func forward() {
        let reasons: [CacheStatus.Forward: String] = [
            .bypass: "bypass", .method: "method", .uriMiss: "uri-miss", .varyMiss: "vary-miss", .miss: "miss",
            .request: "request", .stale: "stale", .partial: "partial", .other("x-new"): "x-new",
        ]
        for (reason, token) in reasons {
            #expect(CacheStatus(forward: reason).description == "PiuPiu; fwd=\(token)")
            #expect(CacheStatus.parse(["A; fwd=\(token)"]).first?.forward == reason)
        }
    }

    @Test("K11 STATUS: the caches of all lines are read in order, the one nearest to the server first")
    func several() {
        let lines = ["OriginCache; hit; ttl=1100", #""CDN Company Here"; fwd=miss; stored;x=1, (a b), 5, Last"#]
        #expect(
            CacheStatus.parse(lines) == [
                CacheStatus(cache: "OriginCache", isHit: true, ttl: 1100),
                CacheStatus(cache: "CDN Company Here", forward: .miss, isStored: true), CacheStatus(cache: "Last"),
            ])
    }

    @Test("K11 STATUS: a malformed field has no status, and a parameter of another type is ignored")
    func malformed() {
        for field in ["", "A; hit,", "A hit", "A; Hit", "A; key=\"b", "é"] {
            #expect(CacheStatus.parse([field]).isEmpty)
        }
        #expect(CacheStatus.parse([]).isEmpty)
        let field = "A; hit=1; fwd=2; fwd-status=a; ttl=1.5; stored=\"x\"; collapsed=?0; key=3; detail=:aGk=:"
        #expect(CacheStatus.parse([field]) == [CacheStatus(cache: "A")])
    }

    @Test("K11 STATUS: what a structured field can't hold is replaced or left out, and the rest stays")
    func unwritable() {
        let status = CacheStatus(cache: "Ä\n", isHit: true, ttl: .max, key: "/ü", detail: "👩")
        #expect(status.description == #""??"; hit; key="/?"; detail="?""#)
        #expect(CacheStatus(cache: "").description == "\"\"")
    }

    @Test("O4 REDACTED: an event shows what the cache did, without its key and its detail")
    func secrets() {
        let step = ExchangeEvent.Step.cacheStatus(CacheStatus(isHit: true, ttl: 5, key: "secret", detail: "secret"))
        for text in ["\(step)", String(reflecting: step)] { #expect(text == "cache PiuPiu; hit; ttl=5") }
    }
}
