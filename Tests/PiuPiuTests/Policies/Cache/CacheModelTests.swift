import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP cache: decisions against a naive model", .timeLimit(.minutes(10)))
struct CacheModelTests {
    private typealias Number = CacheCase.Number

    private static let flags: [Set<String>] = [
        [], ["public"], ["private"], ["no-cache"], ["no-store"], ["must-revalidate"], ["must-understand"],
        ["must-understand", "no-store"], ["public", "must-revalidate"], ["no-cache", "public"], ["s-maxage=9"],
        ["no-cache=\"a\""], ["immutable"], ["private=\"a\""], ["proxy-revalidate", "no-transform"],
    ]
    private static let statuses = [
        200, 203, 204, 206, 299, 301, 302, 304, 401, 404, 407, 410, 418, 499, 500, 501, 503, 599,
    ]
    private static let methods = ["GET", "HEAD", "POST", "PUT", "OPTIONS"]
    private static let maxAges: [Number] = [.absent, .invalid, .without, .seconds(0), .seconds(10), .seconds(100)]
    private static let dates: [Number] = [.absent, .invalid, .seconds(-20), .seconds(0), .seconds(20)]
    private static let elapsed = [0, 10, 11, 5000]

    @Test("K2 STORE: statuses × directives × max-age × Expires × methods")
    func storing() throws {
        let questions = try Self.methods.map { try question(CacheCase(method: $0)) }
        for status in Self.statuses {
            for flags in Self.flags {
                for maxAge in Self.maxAges {
                    for expires in [Number.absent, .invalid, .seconds(10)] {
                        var it = CacheCase()
                        (it.status, it.flags, it.maxAge, it.expires) = (status, flags, maxAge, expires)
                        let fields = it.responseFields
                        for (method, question) in zip(Self.methods, questions) {
                            it.method = method
                            guard isStoredAsInModel(it, question, fields) else { return }
                        }
                    }
                }
            }
        }
    }

    @Test("K3 LIFETIME, K4 AGE, K5 STALE, K6 VALIDATE: directives × ages × validators × methods × Expires × Date")
    func reusing() throws {
        let questions = try ["GET", "HEAD"].map { ($0, try question(CacheCase(method: $0))) }
        for flags in Self.flags {
            guard flags.isDisjoint(with: ["must-understand", "s-maxage=9", "proxy-revalidate"]) else { continue }
            for maxAge in Self.maxAges {
                for (expires, date) in [Number.absent, .invalid, .seconds(10)].product(Self.dates) {
                    for (lastModified, hasTag) in [Number.absent, .seconds(-100)].product([false, true]) {
                        for (method, question) in questions {
                            var it = CacheCase(method: method)
                            (it.flags, it.maxAge, it.expires, it.date) = (flags, maxAge, expires, date)
                            (it.lastModified, it.hasTag) = (lastModified, hasTag)
                            let stored = stored(it, question, it.responseFields)
                            for elapsed in Self.elapsed {
                                it.elapsed = elapsed
                                guard isAnsweredAsInModel(it, question, stored) else { return }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("K2 STORE to K7 REQUEST: random responses and requests match the model", arguments: 1...8)
    func sampled(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let it = CacheCase(using: &generator, statuses: Self.statuses, flags: Self.flags, methods: Self.methods)
            let question = try question(it), fields = it.responseFields
            guard isStoredAsInModel(it, question, fields),
                isAnsweredAsInModel(it, question, stored(it, question, fields))
            else { return }
        }
    }

    // MARK: The product

    private typealias Fields = [(name: String, value: String)]

    /// Returns whether they agree; the first difference ends a test.
    private func isStoredAsInModel(_ it: CacheCase, _ question: CacheQuestion, _ fields: Fields) -> Bool {
        let head = TransferHead(url: question.url, status: it.status, fields: fields)
        let directives = CacheDirectives(head.values(for: "cache-control"))
        let expected = CacheModel(it: it).mayStore
        let isStored = StorageRules.mayStore(head, directives: directives, to: question)
        #expect(isStored == expected, "\(it)")
        return isStored == expected
    }

    private func stored(_ it: CacheCase, _ question: CacheQuestion, _ fields: Fields) -> StoredResponse {
        let ages = fields.filter { $0.name == "Age" }.map(\.value)
        return StoredResponse(
            key: question.key, variant: CacheVariant([], of: [:]), status: it.status, version: "HTTP/1.1",
            lines: HeadLines(fields: fields), age: AgeField.age(ages) ?? 0,
            requestTime: CacheCase.arrival - TimeInterval(it.delay), responseTime: CacheCase.arrival,
            body: .data(Data()))
    }

    private func isAnsweredAsInModel(_ it: CacheCase, _ question: CacheQuestion, _ stored: StoredResponse) -> Bool {
        let model = CacheModel(it: it)
        let now = CacheCase.arrival + TimeInterval(it.elapsed)
        let outcome = outcome(CachePlan.plan(question, stored: [stored], at: now))
        #expect(outcome == model.outcome, "\(it)")
        #expect(abs(stored.lifetime - model.lifetime) < 0.001, "lifetime: \(it)")
        #expect(abs(stored.age(at: now) - model.age) < 0.001, "age: \(it)")
        var isSame = outcome == model.outcome && abs(stored.lifetime - model.lifetime) < 0.001
        // Only a validation can fail.
        guard case .validate = outcome else { return isSame }
        for isDisconnected in [false, true] {
            let mayServe = CachePlan.mayServe(
                stored, to: question, afterFailureAt: now, isDisconnected: isDisconnected)
            #expect(mayServe == model.mayServe(isDisconnected: isDisconnected), "disconnected \(isDisconnected): \(it)")
            isSame = isSame && mayServe == model.mayServe(isDisconnected: isDisconnected)
        }
        return isSame
    }

    private func question(_ it: CacheCase) throws -> CacheQuestion {
        var request = URLRequest(url: try url("http://host/a"), cachePolicy: it.policy)
        request.httpMethod = it.method
        for (name, value) in it.requestFields { request.setValue(value, forHTTPHeaderField: name) }
        return try #require(CacheQuestion(request, hasBody: false, partition: .byCredential))
    }

    private func outcome(_ plan: CachePlan) -> CacheModel.Outcome {
        switch plan {
        case .serve(_, let isStale): isStale ? .stale : .fresh
        case .serveAndRefresh: .staleAndRefresh
        case .validate(let chosen, let all, let reason):
            .validate(
                fields: StoredResponse.conditions(chosen: chosen, all: all).map(\.name),
                isForRequest: reason == .request)
        case .forward: .forward
        case .refuse: .refuse
        }
    }
}

extension Array {
    /// Each of these with each of those.
    fileprivate func product<Other>(_ others: [Other]) -> [(Element, Other)] {
        flatMap { element in others.map { (element, $0) } }
    }
}

extension CacheCase {
    /// A random case, with most values absent.
    fileprivate init(
        using generator: inout SeededGenerator, statuses: [Int], flags: [Set<String>], methods: [String]
    ) {
        func any<Value>(_ values: [Value], or usual: Value) -> Value {
            Int.random(in: 0..<3, using: &generator) == 0 ? values.randomElement(using: &generator) ?? usual : usual
        }
        func number(_ values: [Int]) -> Number {
            any([.invalid, .without] + values.map { .seconds($0) }, or: .absent)
        }
        status = any(statuses, or: 200)
        self.flags = any(flags, or: []).union(any(flags, or: []))
        (maxAge, expires) = (number([0, 10, 50, 3600]), number([-50, 0, 10, 50, 3600]))
        (date, lastModified) = (number([-50, -10, 0, 10]), number([-10_000, -100, 10]))
        (whileRevalidating, ifError) = (number([0, 10, 100]), number([0, 10, 100]))
        (age, delay) = (number([0, 5, 40, 3600]), any([0, 1, 5], or: 0))
        hasTag = .random(using: &generator)
        method = any(methods, or: "GET")
        requestFlags = any([["no-cache"], ["no-store"], ["only-if-cached"], ["foo"]], or: [])
        (requestMaxAge, minFresh) = (number([0, 10, 50]), number([0, 10, 50]))
        (maxStale, requestIfError) = (number([0, 10, 100]), number([0, 10, 100]))
        policy = any(
            [
                .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .returnCacheDataElseLoad,
                .returnCacheDataDontLoad, .reloadRevalidatingCacheData,
            ], or: .useProtocolCachePolicy)
        (isPartial, isConditional) = (any([true, false, false], or: false), any([true, false, false], or: false))
        elapsed = any([1, 5, 9, 10, 11, 49, 50, 51, 100, 4000], or: 0)
    }
}
