import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("HTTP cache: what is in memory", .timeLimit(.minutes(10)))
struct CacheIndexTests {
    private static func response(
        _ path: String, variant: Int? = nil, size: Int = 0, method: String = "GET", partition: String = ""
    ) -> StoredResponse {
        let key = CacheKey(method: method, uri: "http://host/\(path)", partition: partition)
        let variant = variant.map { CacheVariant(["foo"], of: ["foo": "\($0)"]) } ?? CacheVariant([], of: [:])
        return StoredResponse(
            key: key, variant: variant, status: 200, version: "HTTP/1.1", lines: HeadLines(fields: []), age: 0,
            requestTime: 0, responseTime: 0, body: .data(Data(count: size)))
    }

    @Test(
        "K10 STORAGE: what is made of a head counts, too",
        arguments: [("Cache-Control", "max-age=9"), ("Content-Encoding", "a")])
    func parsedFields(name: String, first: String) {
        let value = ([first] + (0..<10_000).map { "a\($0)" }).joined(separator: ",")
        let stored = StoredResponse(
            key: CacheKey(method: "GET", uri: "http://host/a", partition: ""), variant: CacheVariant([], of: [:]),
            status: 200, version: "HTTP/1.1", lines: HeadLines(fields: [(name, value)]), age: 0, requestTime: 0,
            responseTime: 0, body: .data(Data()))
        #expect(stored.cost > value.utf8.count + 10_000 * 100)
    }

    @Test("K10 STORAGE: the least recently used goes first, and a use makes it the last to go")
    func order() {
        let all = ["a", "b", "c", "d", "e"].map { Self.response($0, size: 1000) }
        var index = CacheIndex(limit: all[0].cost * 3)
        for response in all.prefix(3) { #expect(index.insert(response) == 0) }
        index.use(all[0])
        #expect(index.insert(all[3]) == 1)
        #expect(all.map(index.contains) == [true, false, true, true, false])
        // A response that is not kept can't be used.
        index.use(all[1])
        #expect(index.insert(all[4]) == 1)
        #expect(all.map(index.contains) == [true, false, false, true, true])
        #expect(index.count == 3 && index.cost == all[0].cost * 3)
    }

    @Test("K10 STORAGE: a large response evicts several, and one over the limit is not kept")
    func limit() {
        let small = ["a", "b", "c"].map { Self.response($0) }
        let limit = small[0].cost * 3
        var index = CacheIndex(limit: limit)
        for response in small { _ = index.insert(response) }
        let large = Self.response("d", size: small[0].cost)
        #expect(large.cost == small[0].cost * 2)
        #expect(index.insert(large) == 2)
        #expect(index.cost == limit && index.contains(small[2]) && index.contains(large))
        // The response that it would have replaced is out of date.
        let tooLarge = Self.response("d", size: limit)
        #expect(index.insert(tooLarge) == 0)
        #expect(index.responses(for: large.key).isEmpty && index.count == 1 && index.cost == small[2].cost)
        var nothing = CacheIndex(limit: 0)
        #expect(nothing.insert(small[0]) == 0)
        #expect(nothing.count == 0 && nothing.cost == 0)
    }

    @Test("K1 KEY: a key has one response per variant, and the oldest of more than 32 go")
    func variants() {
        var index = CacheIndex(limit: .max)
        let old = Self.response("a", variant: 0, size: 5), new = Self.response("a", variant: 0, size: 7)
        _ = index.insert(old)
        _ = index.insert(new)
        #expect(index.count == 1 && index.cost == new.cost && index.contains(new) && !index.contains(old))
        let others = (1...40).map { Self.response("a", variant: $0) }
        for response in others { _ = index.insert(response) }
        #expect(index.responses(for: new.key).count == 32 && index.count == 32)
        #expect(others.filter(index.contains).map(\.variant) == others.suffix(32).map(\.variant))
        #expect(index.cost == others.suffix(32).reduce(0) { $0 + $1.cost })
    }

    @Test("K1 KEY: a use makes a variant the last of its key to go")
    func usedVariant() {
        var index = CacheIndex(limit: .max)
        let all = (0...32).map { Self.response("a", variant: $0) }
        for response in all.prefix(32) { _ = index.insert(response) }
        index.use(all[0])
        _ = index.insert(all[32])
        #expect(all.filter { !index.contains($0) }.map(\.variant) == [all[1].variant])
    }

    @Test("K8 INVALIDATE: a URI is removed with its variants, methods and partitions, and no other URI")
    func removal() {
        var index = CacheIndex(limit: .max)
        let meant = [
            Self.response("a"), Self.response("a", variant: 1), Self.response("a", method: "HEAD"),
            Self.response("a", partition: "b"),
        ]
        let others = [Self.response("a?b"), Self.response("b", partition: "b")]
        for response in meant + others { _ = index.insert(response) }
        index.remove(meant[0].key) { $0.variant == meant[1].variant }
        #expect((meant + others).map(index.contains) == [true, false, true, true, true, true])
        index.remove(uri: "http://host/a")
        #expect((meant + others).map(index.contains) == [false, false, false, false, true, true])
        #expect(index.count == 2 && index.cost == others[0].cost + others[1].cost)
        index.remove(uri: "http://host/a")
        #expect(index.insert(meant[0]) == 0)
        #expect(index.contains(meant[0]))
        index.removeAll()
        #expect(index.count == 0 && index.cost == 0 && index.responses(for: others[0].key).isEmpty)
        #expect(index.limit == .max)
    }

    @Test("K10 STORAGE: after any steps the index holds what a naive list holds, in the same order", arguments: 1...6)
    func compared(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = 20_000
        var index = CacheIndex(limit: limit), list = NaiveList(limit: limit)
        for step in 0..<3000 {
            let path = "\(Int.random(in: 0..<8, using: &generator))"
            let response = Self.response(
                path, variant: Int.random(in: -2..<4, using: &generator).nonNegative,
                size: Int.random(in: 0..<4, using: &generator) * 700,
                method: Bool.random(using: &generator) ? "GET" : "HEAD", partition: step % 3 == 0 ? "a" : "")
            switch Int.random(in: 0..<100, using: &generator) {
            case 0: (index, list) = (CacheIndex(limit: limit), NaiveList(limit: limit))
            case 1..<5:
                index.remove(uri: response.key.uri)
                list.remove { $0.key.uri == response.key.uri }
            case 5..<15:
                index.remove(response.key) { $0.variant == response.variant }
                list.remove { $0.key == response.key && $0.variant == response.variant }
            case 15..<40:
                guard let used = list.all.randomElement(using: &generator) else { continue }
                index.use(used)
                list.use(used)
            default:
                #expect(index.insert(response) == list.insert(response), "seed \(seed), step \(step)")
            }
            let isSame =
                index.count == list.all.count && index.cost == list.cost && list.all.allSatisfy(index.contains)
                && index.cost <= limit
            #expect(isSame, "seed \(seed), step \(step)")
            guard isSame else { return }
        }
    }
}

/// The index by linear search.
private struct NaiveList {
    let limit: Int
    /// The least recently used first.
    var all: [StoredResponse] = []

    var cost: Int { all.reduce(0) { $0 + $1.cost } }

    mutating func insert(_ response: StoredResponse) -> Int {
        remove { $0.key == response.key && $0.variant == response.variant }
        guard response.cost <= limit else { return 0 }
        all.append(response)
        let count = all.count
        while cost > limit { all.removeFirst() }
        return count - all.count
    }

    mutating func use(_ response: StoredResponse) {
        remove { $0 === response }
        all.append(response)
    }

    mutating func remove(where isMeant: (StoredResponse) -> Bool) { all.removeAll(where: isMeant) }
}

extension Int {
    fileprivate var nonNegative: Int? { self < 0 ? nil : self }
}
