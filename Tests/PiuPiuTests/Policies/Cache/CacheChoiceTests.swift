import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: choosing among several responses", .timeLimit(.minutes(10)))
struct CacheChoiceTests {
    private static let now: TimeInterval = 1_800_000_000

    private static func question(
        _ method: String = "GET", _ fields: [String: String] = [:], hasBody: Bool = false
    ) throws -> CacheQuestion {
        var request = URLRequest(url: try url("http://host/a"))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try #require(CacheQuestion(request, hasBody: hasBody, partition: .byCredential))
    }

    /// A response that is fresh for an hour, made and received that many seconds ago.
    private static func response(
        _ fields: [(name: String, value: String)] = [], made: TimeInterval = 0, received: TimeInterval = 0,
        vary: [String: String] = [:]
    ) throws -> StoredResponse {
        let all = fields + [("Cache-Control", "max-age=3600"), ("Date", WallClock.text(now - made))]
        return StoredResponse(
            key: try question().key, variant: CacheVariant(vary.keys.sorted(), of: vary), status: 200,
            version: "HTTP/1.1", lines: HeadLines(fields: all), age: 0, requestTime: now - received,
            responseTime: now - received, body: .data(Data()))
    }

    private func head(_ fields: [(name: String, value: String)], status: Int = 304) throws -> TransferHead {
        TransferHead(url: try url("http://host/a"), status: status, fields: fields)
    }

    @Test(
        "K8 INVALIDATE: a location is the URI that a client would follow it to",
        arguments: [
            ("/a%20b c", "http://host/a%20b%20c"), ("?q=%2F|", "http://host/a?q=%2F%7C"),
            ("\\b\tc", "http://host/bc"),
        ])
    func locations(location: String, uri: String) throws {
        let question = try Self.question("POST")
        for name in ["Location", "Content-Location"] {
            #expect(question.invalidated(by: try head([(name, location)], status: 201)) == [question.key.uri, uri])
        }
    }

    @Test("K1 KEY: the newest match by Date answers; of equal dates, the last to arrive")
    func newest() throws {
        let old = try Self.response(made: 60, received: 0), new = try Self.response(made: 30, received: 30)
        let last = try Self.response(made: 30, received: 10)
        let other = try Self.response(made: 0, vary: ["foo": "1"])
        for stored in [[old, new, other, last], [last, other, new, old]] {
            let plan = CachePlan.plan(try Self.question("GET", ["Foo": "2"]), stored: stored, at: Self.now)
            guard case .serve(let answer, isStale: false) = plan else {
                Issue.record("\(plan)")
                continue
            }
            #expect(answer === last)
        }
    }

    @Test("K6 VALIDATE: if none matches, the request asks about all tags, and no date")
    func allTags() throws {
        let stored = try ["\"a\"", "W/\"b\"", nil].enumerated().map { index, tag in
            try Self.response(
                [("Last-Modified", WallClock.text(Self.now - 9999))] + (tag.map { [("ETag", $0)] } ?? []),
                vary: ["foo": "\(index)"])
        }
        let question = try Self.question("GET", ["Foo": "x"])
        guard case .validate(chosen: nil, let all, .varyMiss) = CachePlan.plan(question, stored: stored, at: Self.now)
        else {
            Issue.record("Nothing is validated.")
            return
        }
        let conditions = StoredResponse.conditions(chosen: nil, all: all)
        #expect(conditions.map { "\($0.name): \($0.value)" } == ["If-None-Match: \"a\", W/\"b\""])
        guard case .forward(.varyMiss) = CachePlan.plan(question, stored: [stored[2]], at: Self.now) else {
            Issue.record("Something is validated.")
            return
        }
    }

    @Test(
        "K6 VALIDATE: a validator that can't be sent, or is too long for servers, is not used",
        arguments: ["\"a\"\rX-A: 1", "\"\u{1}\"", "\"" + String(repeating: "a", count: 2_047) + "\""])
    func unusable(text: String) throws {
        let stored = try Self.response([("ETag", text), ("Last-Modified", text), ("Cache-Control", "no-cache")])
        let kept = try Self.response([("ETag", "\"a\""), ("Last-Modified", WallClock.text(Self.now - 9999))])
        #expect(StoredResponse.conditions(chosen: stored, all: [stored]).isEmpty)
        #expect(StoredResponse.conditions(chosen: kept, all: [kept, stored]).map(\.name).count == 2)
        let longest = "\"" + String(repeating: "a", count: 2_046) + "\""
        #expect(try Self.response([("ETag", longest)]).entityTag == longest)
    }

    /// Whether a response with this field answers a request with that one.
    private static func isAnswer(coding: String, accepted: String) throws -> Bool {
        let stored = try response([("Content-Encoding", coding)])
        let plan = CachePlan.plan(try question("GET", ["Accept-Encoding": accepted]), stored: [stored], at: now)
        if case .serve = plan { return true } else { return false }
    }

    @Test(
        "K1 KEY: a field that names no coding hides a response from no request",
        arguments: ["", "none", "None", "identity", " identity, none ", ","])
    func uncoded(coding: String) throws {
        for accepted in ["gzip", "identity", "", "br;q=0"] {
            #expect(try Self.isAnswer(coding: coding, accepted: accepted), "\(accepted)")
        }
    }

    @Test(
        "K1 KEY: a response answers with codings that the request accepts, each of them (RFC 9110, 12.5.3)",
        arguments: [
            ("gzip", "gzip", true), ("gzip", "br;q=1.0, GZIP;q=0.5", true), ("GZip", "gzip;q=0.001", true),
            ("gzip", "*", true), ("gzip", "br", false), ("gzip", "", false), ("gzip", "identity", false),
            ("gzip", "gzip;q=0", false), ("gzip", "gzip ; Q = 0.000", false), ("gzip", "gzip;q=0, *", false),
            ("gzip", "*;q=0", false), ("gzip", "*;q=0, gzip", true), ("zip", "gzip", false), ("br", "brotli", false),
            ("x-gzip", "gzip", true), ("gzip", "x-gzip", true), ("gzip, br", "gzip, br", true),
            ("br, gzip", "gzip, br", true), ("gzip, br", "gzip", false), ("gzip, br", "gzip, br;q=0", false),
        ])
    func codings(coding: String, accepted: String, isAnswer: Bool) throws {
        #expect(try Self.isAnswer(coding: coding, accepted: accepted) == isAnswer)
    }

    /// The condition of a request that selects none of these responses; `nil` if it has none.
    private static func tags(of stored: [StoredResponse]) throws -> String? {
        let plan = CachePlan.plan(try question("GET", ["Foo": "x"]), stored: stored, at: now)
        guard case .validate(chosen: nil, let all, .varyMiss) = plan else { return nil }
        return StoredResponse.conditions(chosen: nil, all: all).first?.value
    }

    @Test("K6 VALIDATE, K10 STORAGE: if none matches, the request asks about the newest tags, each once, and not many")
    func fewTags() throws {
        let many = try (0..<40).map { index in
            // Each tag twice, the newest last.
            try Self.response(
                [("ETag", "\"\(index / 2)\"")], made: 100 - TimeInterval(index), vary: ["foo": "\(index)"])
        }
        let expected = (12...19).reversed().map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(try Self.tags(of: many) == expected)
        #expect(try Self.tags(of: many.reversed()) == expected)
        func long(_ letter: String, _ count: Int, made: TimeInterval) throws -> StoredResponse {
            let tag = "\"\(String(repeating: letter, count: count - 2))\""
            return try Self.response([("ETag", tag)], made: made, vary: ["foo": letter])
        }
        // A server answers a head that is too long with an error. What is too long has no condition.
        let a = try long("a", 1_000, made: 1), b = try long("b", 2_049, made: 2), c = try long("c", 1_046, made: 3)
        #expect(try Self.tags(of: [a, b, c]) == [a, c].compactMap(\.entityTag).joined(separator: ", "))
        #expect(try Self.tags(of: [a, b, try long("c", 1_047, made: 3)]) == a.entityTag)
        #expect(try Self.tags(of: [b]) == nil)
    }

    @Test("K7 REQUEST: with only-if-cached a stale response is served, and the server isn't asked afterwards either")
    func offlineAndStale() throws {
        let fields = [("Cache-Control", "max-age=1, stale-while-revalidate=60")]
        let stored = StoredResponse(
            key: try Self.question().key, variant: CacheVariant([], of: [:]), status: 200, version: "HTTP/1.1",
            lines: HeadLines(fields: fields), age: 0, requestTime: Self.now, responseTime: Self.now, body: .data(Data())
        )
        func plan(_ fields: [String: String]) throws -> CachePlan {
            CachePlan.plan(try Self.question("GET", fields), stored: [stored], at: Self.now + 10)
        }
        guard case .serveAndRefresh = try plan([:]) else {
            Issue.record("\(try plan([:]))")
            return
        }
        let offline = try plan(["Cache-Control": "only-if-cached"])
        guard case .serve(let answer, isStale: true) = offline else {
            Issue.record("\(offline)")
            return
        }
        #expect(answer === stored)
    }

    @Test("K6 VALIDATE: a 304 selects the newest with its strong tag, else the newest with its weak tag, else none")
    func selectedByTag() throws {
        let strong = try Self.response([("ETag", "\"a\"")], made: 60)
        let newer = try Self.response([("ETag", "\"a\"")], made: 30)
        let weak = try Self.response([("ETag", "W/\"a\"")], made: 10)
        let other = try Self.response([("ETag", "\"b\""), ("Last-Modified", "x")])
        let all = [strong, newer, weak, other]
        func selected(_ fields: [(name: String, value: String)]) throws -> StoredResponse? {
            StoredResponse.selected(by: try head(fields), chosen: other, from: all)
        }
        #expect(try selected([("ETag", "\"a\"")]) === newer)
        #expect(try selected([("ETag", "W/\"a\"")]) === weak)
        #expect(try selected([("ETag", "\"c\""), ("Last-Modified", "x")]) == nil)
        #expect(try selected([("Last-Modified", "x")]) === other)
        #expect(try selected([("Last-Modified", "y")]) == nil)
        #expect(try selected([]) === other)
        #expect(StoredResponse.selected(by: try head([]), chosen: nil, from: all) == nil)
        #expect(StoredResponse.selected(by: try head([]), chosen: nil, from: [weak]) === weak)
    }

    @Test("K4 AGE: a clock that goes back makes no response younger than on arrival, and no delay negative")
    func clocks() throws {
        let stored = StoredResponse(
            key: try Self.question().key, variant: CacheVariant([], of: [:]), status: 200, version: "HTTP/1.1",
            lines: HeadLines(fields: []), age: 50, requestTime: Self.now + 20, responseTime: Self.now,
            body: .data(Data()))
        #expect(stored.age(at: Self.now) == 50)
        #expect(stored.age(at: Self.now - 1000) == 50)
        #expect(stored.age(at: Self.now + 1) == 51)
    }

    @Test("K2 STORE: a response whose body was lost isn't stored as one without a body")
    func lostBody() throws {
        let head = try head([("Cache-Control", "max-age=60"), ("Content-Length", "162")], status: 301)
        for (head, isStored) in [(head, true), (head.withoutLength, false)] {
            let question = try Self.question(), directives = CacheDirectives(["max-age=60"])
            #expect(StorageRules.mayStore(head, directives: directives, to: question) == isStored)
        }
    }

    @Test("K2 STORE: with a body, only a POST's response is kept, if it says that a GET would return it")
    func withBody() throws {
        let fields = [("Cache-Control", "max-age=60"), ("Content-Location", "/a")]
        func mayStore(_ method: String, status: Int, hasBody: Bool) throws -> Bool {
            let head = try head(fields, status: status)
            return StorageRules.mayStore(
                head, directives: CacheDirectives(["max-age=60"]), to: try Self.question(method, hasBody: hasBody))
        }
        #expect(try mayStore("POST", status: 200, hasBody: true))
        #expect(try mayStore("POST", status: 200, hasBody: false))
        #expect(try !mayStore("POST", status: 404, hasBody: true))
        #expect(try !mayStore("GET", status: 200, hasBody: true))
        #expect(try mayStore("GET", status: 200, hasBody: false))
        // Nor does a stored response answer it.
        let plan = CachePlan.plan(
            try Self.question(hasBody: true), stored: [try Self.response()], at: Self.now)
        guard case .forward(.bypass) = plan else {
            Issue.record("\(plan)")
            return
        }
    }
}
