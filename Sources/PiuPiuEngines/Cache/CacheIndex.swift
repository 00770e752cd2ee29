package import Foundation

/// The responses that a cache keeps in memory; the least recently used is evicted first (rule STORAGE).
///
/// A pure value; each step takes constant time, whatever the number of responses.
package struct CacheIndex: Sendable {
    private struct Entry: Sendable {
        let id: Int
        let response: StoredResponse
        /// When its use was last recorded in the folder.
        var notedUse = -TimeInterval.infinity
    }

    /// Limits the variants of a key, here and in the folder, so that a server with a variant for every request doesn't
    /// make look-ups slower.
    static let mostVariants = 32

    /// The responses of each key, the least recently used first.
    private var entries: [CacheKey: [Entry]] = [:]
    private var keys: [Int: CacheKey] = [:]
    private var keysOfURI: [String: Set<CacheKey>] = [:]
    private var line = LinkedLine<Int>()
    private var lastID = 0

    /// The maximum size, in bytes.
    package let limit: Int
    /// The current size, in bytes.
    package private(set) var cost = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// The number of stored responses.
    package var count: Int { keys.count }

    /// The stored responses of a key.
    package func responses(for key: CacheKey) -> [StoredResponse] { entries[key]?.map(\.response) ?? [] }

    /// Whether this response itself is still stored.
    package func contains(_ response: StoredResponse) -> Bool {
        entries[response.key]?.contains { $0.response === response } == true
    }

    /// Stores a response, which replaces an older one of the same variant. Returns how many others were evicted.
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

    /// Marks a response as used. Returns whether to record that in the folder, at most once a minute.
    @discardableResult
    package mutating func use(_ response: StoredResponse, at now: TimeInterval = 0) -> Bool {
        guard let index = entries[response.key]?.firstIndex(where: { $0.response === response }),
            var entry = entries[response.key]?[index]
        else { return false }
        line.remove(entry.id)
        line.append(entry.id)
        let isToNote = abs(now - entry.notedUse) >= 60
        if isToNote { entry.notedUse = now }
        if isToNote || entries[response.key]?.last?.id != entry.id {
            entries[response.key]?.remove(at: index)
            entries[response.key]?.append(entry)
        }
        return isToNote
    }

    /// Removes the matching responses of a key.
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

    /// Removes all responses of a URI, in all partitions.
    package mutating func remove(uri: String) {
        for key in keysOfURI[uri] ?? [] { remove(key) { _ in true } }
    }

    /// Removes everything.
    package mutating func removeAll() {
        self = CacheIndex(limit: limit)
    }
}
