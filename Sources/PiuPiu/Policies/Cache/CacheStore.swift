import Foundation

/// What a cache keeps: an index in memory, which answers without waiting, and behind it a folder, if there is one.
///
/// Copies of an ``HTTPCache`` and the engines over it share one.
final class CacheStore: Sendable {
    /// A request that is on its way to a server. A removal of what is kept ends it, as it means what is on its way, too: the
    /// response may be kept as long as it hasn't ended.
    struct Visit: Sendable, Hashable {
        let uri: String
        let number: Int
    }

    /// The right to keep a response that is just coming.
    struct Ticket: Sendable, Hashable {
        let key: CacheKey
        let variant: CacheVariant
        let visit: Visit
    }

    private struct State {
        var index: CacheIndex
        var visits: [String: Set<Int>] = [:]
        var fills: [CacheKey: [CacheVariant: Visit]] = [:]
        var lastNumber = 0
        var statistics = HTTPCache.Statistics()

        func goesOn(_ visit: Visit) -> Bool { visits[visit.uri]?.contains(visit.number) == true }

        func admits(_ ticket: Ticket) -> Bool {
            goesOn(ticket.visit) && fills[ticket.key]?[ticket.variant] == ticket.visit
        }

        mutating func end(_ ticket: Ticket) {
            guard fills[ticket.key]?[ticket.variant] == ticket.visit else { return }
            fills[ticket.key]?[ticket.variant] = nil
            if fills[ticket.key]?.isEmpty == true { fills[ticket.key] = nil }
        }

        mutating func keep(_ response: StoredResponse) {
            statistics.evictions += index.insert(response)
        }
    }

    let folder: CacheFolder?
    /// The time of day, in seconds since 1970.
    let now: @Sendable () -> TimeInterval
    /// A body that is larger than this is not kept in memory.
    let memoryBodyLimit: Int
    /// A body that is larger than this is not kept at all.
    let bodyLimit: Int64
    private let state: Locked<State>

    init(memoryLimit: Int, folder: CacheFolder?, now: @escaping @Sendable () -> TimeInterval) {
        self.folder = folder
        self.now = now
        memoryBodyLimit = folder == nil ? memoryLimit / 4 : min(memoryLimit / 4, StoredLimits.wholeInMemory)
        bodyLimit = max(Int64(memoryBodyLimit), folder.map { $0.limit / 2 } ?? 0)
        state = Locked(State(index: CacheIndex(limit: memoryLimit)))
    }

    // MARK: Looking up

    /// What is kept in memory for a request: what answers a GET answers a HEAD too.
    func stored(for question: CacheQuestion) -> [StoredResponse] {
        state.withLock { state in
            let responses = state.index.responses(for: question.key)
            guard question.key.method == "HEAD" else { return responses }
            return responses + state.index.responses(for: question.key.of(method: "GET"))
        }
    }

    /// Whether there may be more in the folder; then ``load(_:then:)`` brings it.
    func mayHoldMore(for question: CacheQuestion) -> Bool {
        guard let folder else { return false }
        return keys(of: question).contains { key in
            folder.mayHold(moreThan: state.withLock { $0.index.responses(for: key).count }, of: key)
        }
    }

    /// Brings what the folder has for a request into memory, and calls back with all that is there now, on the queue of the
    /// folder.
    func load(_ question: CacheQuestion, then: @escaping @Sendable ([StoredResponse]) -> Void) {
        guard let folder else { return then(stored(for: question)) }
        let keys = keys(of: question), visit = enter(question.key.uri)
        folder.perform { [self] folder in
            var loaded = keys.flatMap { folder.load($0) }
            let all = state.withLock { state in
                // It was removed while it was read.
                if !state.goesOn(visit) { loaded = [] }
                for response in loaded {
                    let known = state.index.responses(for: response.key)
                    // What is in memory is as new or newer.
                    if !known.contains(where: { $0.variant == response.variant }) { state.keep(response) }
                }
                return keys.flatMap { state.index.responses(for: $0) }
            }
            leave(visit)
            // One that has no room in memory is an answer all the same.
            loaded.removeAll { response in all.contains { $0.key == response.key && $0.variant == response.variant } }
            then(all + loaded)
        }
    }

    private func keys(of question: CacheQuestion) -> [CacheKey] {
        question.key.method == "HEAD" ? [question.key, question.key.of(method: "GET")] : [question.key]
    }

    /// A response is handed out.
    func use(_ response: StoredResponse) {
        let now = now(), isToNote = state.withLock { $0.index.use(response, at: now) }
        if isToNote, let folder { folder.perform { $0.use(response) } }
    }

    /// Counts what became of a request.
    func count(_ count: (inout HTTPCache.Statistics) -> Void) {
        state.withLock { count(&$0.statistics) }
    }

    var statistics: HTTPCache.Statistics {
        var (statistics, count, size) = state.withLock { ($0.statistics, $0.index.count, $0.index.cost) }
        statistics.memoryCount = count
        statistics.memorySize = size
        guard let figures = folder?.figures else { return statistics }
        statistics.diskCount = figures.count
        statistics.diskSize = figures.size
        statistics.evictions += figures.evictions
        statistics.failures += figures.failures
        return statistics
    }

    // MARK: Keeping

    /// A request is about to be sent. ``leave(_:)`` follows.
    func enter(_ uri: String) -> Visit {
        state.withLock { state in
            state.lastNumber += 1
            state.visits[uri, default: []].insert(state.lastNumber)
            return Visit(uri: uri, number: state.lastNumber)
        }
    }

    /// Its response is complete, or won't be.
    func leave(_ visit: Visit) {
        state.withLock { state in
            state.visits[visit.uri]?.remove(visit.number)
            if state.visits[visit.uri]?.isEmpty == true { state.visits[visit.uri] = nil }
        }
    }

    /// Begins to keep a response; `nil` if it must not be kept, or if another one of the same variant is just coming, which
    /// will do.
    func beginFill(_ visit: Visit, _ key: CacheKey, _ variant: CacheVariant) -> Ticket? {
        state.withLock { state in
            guard state.goesOn(visit), state.fills[key]?[variant].map(state.goesOn) != true else { return nil }
            state.fills[key, default: [:]][variant] = visit
            return Ticket(key: key, variant: variant, visit: visit)
        }
    }

    /// The response won't be kept.
    func endFill(_ ticket: Ticket) {
        state.withLock { $0.end(ticket) }
    }

    /// Keeps a response whose body is in memory.
    func keep(_ response: StoredResponse, _ ticket: Ticket) {
        state.withLock { state in
            defer { state.end(ticket) }
            guard state.admits(ticket) else { return }
            state.keep(response)
            state.statistics.stores += 1
            // Under the lock, in the order of other changes.
            folder?.perform { $0.keep(response) }
        }
    }

    /// Keeps a response whose body is in a file of the folder's.
    func keep(_ response: StoredResponse, _ ticket: Ticket, in file: WritableFile, length: Int64, checksum: UInt64) {
        let stored = folder?.performAndWait { folder in
            guard state.withLock({ $0.admits(ticket) }) else {
                file.discard()
                return nil as StoredFile?
            }
            return folder.adopt(file, response, length: length, checksum: checksum)
        }
        state.withLock { state in
            defer { state.end(ticket) }
            // If it was removed between the two, the folder removes it as well, after it was added.
            guard state.admits(ticket), let stored else { return }
            state.keep(response.with(body: .file(stored)))
            state.statistics.stores += 1
        }
    }

    /// Keeps newer fields of a response, in the place of the older ones; unless it is gone by now.
    func replace(_ old: StoredResponse, with new: StoredResponse) {
        state.withLock { state in
            let isInMemory = state.index.contains(old)
            let others = isInMemory ? [] : state.index.responses(for: old.key)
            guard !others.contains(where: { $0.variant == old.variant }) else { return }
            if isInMemory { state.keep(new) }
            // What had no room in memory is in the folder, unless it was removed.
            folder?.perform { $0.update(new, mayAdd: isInMemory) }
        }
    }

    /// Whether nothing has come in the place of this response, and nobody has removed it.
    func isCurrent(_ response: StoredResponse) -> Bool { state.withLock { $0.index.contains(response) } }

    /// How many requests are on their way, and responses just coming; none when all has ended.
    var unfinished: (visits: Int, fills: Int) {
        state.withLock { ($0.visits.values.reduce(0) { $0 + $1.count }, $0.fills.count) }
    }

    // MARK: Removing

    /// Keeps no longer what is not good any more.
    func remove(_ response: StoredResponse) {
        state.release { state in
            state.index.remove(response.key) { $0.variant == response.variant }
            folder?.perform { $0.remove(response) }
        }
    }

    /// Keeps nothing of a URI, and nothing that is just coming of it.
    ///
    /// - Parameter visit: the one that has brought the reason, and may bring something newer.
    func remove(uri: String, for visit: Visit? = nil) {
        state.release { state in
            state.index.remove(uri: uri)
            state.visits[uri]?.formIntersection(visit.map { [$0.number] } ?? [])
            folder?.perform { $0.remove(uri: uri) }
        }
    }

    /// Keeps nothing, and nothing that is just coming.
    func removeAll() {
        state.release { state -> CacheIndex in
            let old = state.index
            state.index.removeAll()
            state.visits = [:]
            folder?.perform { $0.removeAll() }
            return old
        }
    }
}
