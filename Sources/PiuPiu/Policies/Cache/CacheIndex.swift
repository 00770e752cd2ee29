package import Foundation

/// What a cache keeps in memory, the least recently used first to go (rule STORAGE).
///
/// A pure value; each step takes constant time, whatever the number of responses.
package struct CacheIndex: Sendable {
    private struct Entry: Sendable {
        let id: Int
        let response: StoredResponse
        /// When a use of it was last noted in the folder.
        var notedUse = -TimeInterval.infinity
    }

    /// A server that varies by what no two requests have in common must not make each look-up slower.
    private static let mostVariants = 32

    private var entries: [CacheKey: [Entry]] = [:]
    private var keys: [Int: CacheKey] = [:]
    private var keysOfURI: [String: Set<CacheKey>] = [:]
    private var line = LinkedLine<Int>()
    private var lastID = 0

    /// How much may be kept, in bytes.
    package let limit: Int
    /// How much is kept, in bytes.
    package private(set) var cost = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// How many responses are kept.
    package var count: Int { keys.count }

    /// What is kept for a key.
    package func responses(for key: CacheKey) -> [StoredResponse] { entries[key]?.map(\.response) ?? [] }

    /// Whether this very response is still kept.
    package func contains(_ response: StoredResponse) -> Bool {
        entries[response.key]?.contains { $0.response === response } == true
    }

    /// Keeps a response in the place of an older one of the same variant. Returns how many others had to go.
    package mutating func insert(_ response: StoredResponse) -> Int {
        remove(response.key) { $0.variant == response.variant }
        guard response.cost <= limit else { return 0 }
        lastID += 1
        entries[response.key, default: []].append(Entry(id: lastID, response: response))
        keys[lastID] = response.key
        keysOfURI[response.key.uri, default: []].insert(response.key)
        line.append(lastID)
        cost += response.cost
        if let oldest = entries[response.key]?.first, entries[response.key]?.count ?? 0 > Self.mostVariants {
            remove(response.key) { $0 === oldest.response }
        }
        var evicted = 0
        while cost > limit, let id = line.first, let key = keys[id] {
            let goes = entries[key]?.first { $0.id == id }?.response
            remove(key) { $0 === goes }
            evicted += 1
        }
        return evicted
    }

    /// A response was the answer to a request. Returns whether that is to be noted in the folder, which would be too much each
    /// time.
    @discardableResult
    package mutating func use(_ response: StoredResponse, at now: TimeInterval = 0) -> Bool {
        guard let index = entries[response.key]?.firstIndex(where: { $0.response === response }),
            let entry = entries[response.key]?[index]
        else { return false }
        line.remove(entry.id)
        line.append(entry.id)
        guard abs(now - entry.notedUse) >= 60 else { return false }
        entries[response.key]?[index].notedUse = now
        return true
    }

    /// Keeps nothing of these keys that is meant.
    package mutating func remove(_ key: CacheKey, where isMeant: (StoredResponse) -> Bool) {
        guard let all = entries[key] else { return }
        for entry in all where isMeant(entry.response) {
            line.remove(entry.id)
            keys[entry.id] = nil
            cost -= entry.response.cost
        }
        let left = all.filter { keys[$0.id] != nil }
        entries[key] = left.isEmpty ? nil : left
        guard left.isEmpty else { return }
        keysOfURI[key.uri]?.remove(key)
        if keysOfURI[key.uri]?.isEmpty == true { keysOfURI[key.uri] = nil }
    }

    /// Keeps nothing of a URI, in any partition.
    package mutating func remove(uri: String) {
        for key in keysOfURI[uri] ?? [] { remove(key) { _ in true } }
    }

    /// Keeps nothing.
    package mutating func removeAll() {
        self = CacheIndex(limit: limit)
    }
}
