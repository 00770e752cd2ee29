import Dispatch
import Foundation

/// The storage of a cache: an index in memory, which answers without waiting, and optionally a folder behind it.
///
/// Copies of an ``HTTPCache`` and its engines share one.
final class CacheStore: Sendable {
    /// A request in flight. What it has found may be its answer, and its response may be stored, while the visit lasts.
    /// Removing stored responses ends the visit, because it also means responses in flight.
    struct Visit: Sendable, Hashable {
        let uri: String
        let number: Int
    }

    /// The right to store a response that is arriving.
    struct Ticket: Sendable, Hashable {
        let key: CacheKey
        let variant: CacheVariant
        let visit: Visit
    }

    /// Where the bodies are that are arriving.
    enum Place { case memory, folder }

    /// What a request in flight brings: the body, while it is being stored.
    struct Arrival: Sendable {
        weak var fill: CacheFill?
    }

    struct State {
        var index: CacheIndex
        /// The requests in flight, by URI and number.
        var visits: [String: [Int: Arrival]] = [:]
        var newest = NewestAnswers()
        /// The responses that are arriving, at most two of a variant: the first, so that one gets to its end however
        /// often newer ones begin, and the newest.
        var fills: [CacheKey: [CacheVariant: [Visit]]] = [:]
        /// The bytes of the bodies that are arriving.
        var arriving: [Place: Int64] = [:]
        /// The loads from the folder that are under way, by URI, and by each key that they read. One that is missing
        /// under any of its keys isn't valid any more.
        var loads: [String: [CacheKey: Set<Int>]] = [:]
        var lastNumber = 0
        var statistics = HTTPCache.Statistics()

        func goesOn(_ visit: Visit) -> Bool { visits[visit.uri]?[visit.number] != nil }

        func visitCount(_ uri: String) -> Int { visits[uri]?.count ?? 0 }

        func admits(_ ticket: Ticket) -> Bool {
            goesOn(ticket.visit) && fills[ticket.key]?[ticket.variant]?.contains(ticket.visit) == true
        }

        mutating func end(_ ticket: Ticket) {
            removeFills(of: ticket.key, ticket.variant) { $0 == ticket.visit }
        }

        /// A response is complete. Returns whether it may be stored; then the answers to older requests may not.
        mutating func isLatest(_ response: StoredResponse, _ ticket: Ticket, at now: TimeInterval) -> Bool {
            guard admits(ticket), !hasNewer(than: response, at: now) else { return false }
            removeFills(of: ticket.key, ticket.variant) { $0.number < ticket.visit.number }
            newest.note(response, among: visitCount(response.key.uri))
            return true
        }

        /// The answer to a request can't be stored: then those to older requests may not, either, whose responses it
        /// selects.
        mutating func outdate(by question: CacheQuestion, _ visit: Visit, sentAt requestTime: TimeInterval) {
            for variant in (fills[question.key] ?? [:]).keys where question.selects(variant) {
                removeFills(of: question.key, variant) { $0.number < visit.number }
            }
            newest.note(unstored: question, sentAt: requestTime, among: visitCount(question.key.uri))
        }

        private mutating func removeFills(of key: CacheKey, _ variant: CacheVariant, where isMeant: (Visit) -> Bool) {
            fills[key]?[variant]?.removeAll(where: isMeant)
            if fills[key]?[variant]?.isEmpty == true { fills[key]?[variant] = nil }
            if fills[key]?.isEmpty == true { fills[key] = nil }
        }

        /// Whether the answer to a newer request than that of a response is stored already, or can't be stored.
        func hasNewer(than response: StoredResponse, at now: TimeInterval) -> Bool {
            hasNewer(response.key, response.variant, than: response.requestTime, at: now)
        }

        /// Whether there was such an answer to a request that is newer than one of this time.
        func hasNewer(
            _ key: CacheKey, _ variant: CacheVariant, than requestTime: TimeInterval, at now: TimeInterval
        ) -> Bool {
            newest.haveNewer(key, variant, than: requestTime, at: now)
                || index.responses(for: key).contains {
                    $0.variant == variant && $0.isNewer(than: requestTime, at: now)
                }
        }

        /// A stored response of a key changes, so what is being read of that key isn't valid. Other keys are those of
        /// other users, whose look-ups go on.
        mutating func endLoads(of key: CacheKey) {
            loads[key.uri]?[key] = nil
            if loads[key.uri]?.isEmpty == true { loads[key.uri] = nil }
        }

        /// A load of these keys begins. Returns its number.
        mutating func beginLoad(of keys: [CacheKey]) -> Int {
            lastNumber += 1
            for key in keys { loads[key.uri, default: [:]][key, default: []].insert(lastNumber) }
            return lastNumber
        }

        /// A load is over. Returns whether its result is still valid.
        mutating func endLoad(_ number: Int, of keys: [CacheKey]) -> Bool {
            var isValid = true
            for key in keys {
                if loads[key.uri]?[key]?.remove(number) == nil { isValid = false }
                if loads[key.uri]?[key]?.isEmpty == true { endLoads(of: key) }
            }
            return isValid
        }

        mutating func keep(_ response: StoredResponse) {
            statistics.evictions += index.insert(response)
        }
    }

    let folder: CacheFolder?
    /// The time of day, in seconds since 1970.
    let now: @Sendable () -> TimeInterval
    /// A larger body is not kept in memory.
    let memoryBodyLimit: Int
    /// A larger body is not stored at all.
    let bodyLimit: Int64
    let state: Locked<State>

    init(memoryLimit: Int, folder: CacheFolder?, now: @escaping @Sendable () -> TimeInterval) {
        self.folder = folder
        self.now = now
        memoryBodyLimit = folder == nil ? memoryLimit / 4 : min(memoryLimit / 4, CacheFolder.wholeInMemory)
        bodyLimit = max(Int64(memoryBodyLimit), folder.map { $0.limit / 2 } ?? 0)
        state = Locked(State(index: CacheIndex(limit: memoryLimit)))
    }

    // MARK: Looking up

    /// The responses in memory for a request; a response to GET also answers a HEAD.
    func stored(for question: CacheQuestion) -> [StoredResponse] {
        state.withLock { state in
            let responses = state.index.responses(for: question.key)
            guard question.key.method == "HEAD" else { return responses }
            return responses + state.index.responses(for: question.key.of(method: "GET"))
        }
    }

    /// Whether the folder may have more than what ``stored(for:)`` has found, for ``load(_:)`` to read. Not more than
    /// what is in memory now: another request may have loaded responses meanwhile, which this one has not seen.
    func mayHoldMore(than stored: [StoredResponse], for question: CacheQuestion) -> Bool {
        guard let folder else { return false }
        return keys(of: question).contains { key in
            folder.mayHold(moreThan: stored.count { $0.key == key }, of: key)
        }
    }

    /// Whether the body of a response in memory is still there, as far as that is known without waiting. The folder
    /// evicts files whose responses stay in memory.
    func hasBody(of response: StoredResponse) -> Bool {
        switch response.body {
        case .data: true
        case .file(let file): folder?.knows(file) == true
        }
    }

    /// Loads the folder's responses for a request into memory, and returns all stored ones.
    func load(_ question: CacheQuestion) async -> [StoredResponse] {
        guard let folder else { return stored(for: question) }
        let keys = keys(of: question)
        return await withCheckedContinuation { continuation in
            load(keys, in: folder) { continuation.resume(returning: $0) }
        }
    }

    /// Reads again as long as others change what is read, which takes more than a load, so that some always succeed.
    private func load(
        _ keys: [CacheKey], in folder: CacheFolder, completion: @escaping @Sendable ([StoredResponse]) -> Void
    ) {
        let number = state.withLock { $0.beginLoad(of: keys) }
        folder.perform { [self] folder in
            let loaded = keys.flatMap { folder.load($0) }
            let all = state.withLock { state -> [StoredResponse]? in
                guard state.endLoad(number, of: keys) else { return nil }
                for response in loaded {
                    let known = state.index.responses(for: response.key)
                    // The response in memory is as new or newer.
                    if !known.contains(where: { $0.variant == response.variant }) { state.keep(response) }
                }
                return keys.flatMap { state.index.responses(for: $0) }
            }
            // Some may have been removed or replaced meanwhile: the folder follows before it is read again.
            guard let all else { return load(keys, in: folder, completion: completion) }
            completion(all.completed(by: loaded))
        }
    }

    private func keys(of question: CacheQuestion) -> [CacheKey] {
        question.key.method == "HEAD" ? [question.key, question.key.of(method: "GET")] : [question.key]
    }

    /// A response is served.
    func use(_ response: StoredResponse) {
        let now = now(), isToNote = state.withLock { $0.index.use(response, at: now) }
        if isToNote, let folder { folder.perform { $0.use(response) } }
    }

    /// Counts the outcome of a request.
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
            state.visits[uri, default: [:]][state.lastNumber] = Arrival()
            return Visit(uri: uri, number: state.lastNumber)
        }
    }

    /// The response is complete, or won't be.
    func leave(_ visit: Visit) {
        state.withLock { state in
            state.visits[visit.uri]?[visit.number] = nil
            guard state.visits[visit.uri]?.isEmpty == true else { return }
            state.visits[visit.uri] = nil
            state.newest.forget(visit.uri)
        }
    }

    /// Whether nothing that the request has found, or is about to bring, was removed.
    func goesOn(_ visit: Visit) -> Bool { state.withLock { $0.goesOn(visit) } }

    /// Whether a response may have room: in the folder, or else in memory as a whole.
    ///
    /// - Parameters:
    ///   - response: the response without its body.
    ///   - length: the length of the body, as far as it is known.
    func hasRoom(for response: @autoclosure () -> StoredResponse, _ length: Int64) -> Bool {
        guard folder == nil else { return true }
        return Int64(response().cost) + length <= Int64(state.withLock { $0.index.limit })
    }

    /// Begins to store a response; `nil` if it must not be stored, or if the answer to a newer request is arriving.
    func beginFill(_ visit: Visit, _ key: CacheKey, _ variant: CacheVariant) -> Ticket? {
        state.withLock { state in
            let arriving = (state.fills[key]?[variant] ?? []).filter(state.goesOn)
            guard state.goesOn(visit), arriving.allSatisfy({ $0.number < visit.number }) else { return nil }
            state.fills[key, default: [:]][variant] = arriving.prefix(1) + [visit]
            return Ticket(key: key, variant: variant, visit: visit)
        }
    }

    /// Notes the body that is arriving for a request: a removal discards it.
    func note(_ fill: CacheFill, of visit: Visit) {
        state.withLock { $0.visits[visit.uri]?[visit.number]?.fill = fill }
    }

    /// Whether a response that is arriving may still be stored.
    func admits(_ ticket: Ticket) -> Bool { state.withLock { $0.admits(ticket) } }

    /// Takes room for the next part of a body that is arriving; false if there is none left.
    ///
    /// - Parameter size: how much the body has taken there already. A fair share is always granted, so that a few
    ///   bodies that arrive slowly keep no others out.
    func reserve(_ count: Int64, beside size: Int64, in place: Place) -> Bool {
        state.withLock { state in
            let limit = place == .memory ? Int64(state.index.limit) : folder?.limit ?? 0
            let taken = state.arriving[place, default: 0] + count, share = limit / Int64(max(1, state.fills.count))
            guard taken <= limit || size + count <= share else { return false }
            state.arriving[place] = taken
            return true
        }
    }

    /// Gives the room of a body back, which has arrived, or goes elsewhere.
    func release(_ count: Int64, in place: Place) { state.withLock { $0.arriving[place, default: 0] -= count } }

    /// How many bytes are reserved for bodies that are arriving.
    func reserved(in place: Place) -> Int64 { state.withLock { $0.arriving[place, default: 0] } }

    /// The response won't be stored.
    func endFill(_ ticket: Ticket) {
        state.withLock { $0.end(ticket) }
    }

    /// The response is complete, but can't be stored: an older one would be served in its place, so it is removed.
    func drop(_ response: StoredResponse, _ ticket: Ticket) {
        let now = now()
        state.release { state in
            defer { state.end(ticket) }
            guard state.isLatest(response, ticket, at: now) else { return }
            state.endLoads(of: response.key)
            state.index.remove(response.key) { $0.variant == response.variant }
            folder?.perform { $0.remove(response) }
        }
    }

    /// Stores a response whose body is in memory.
    func keep(_ response: StoredResponse, _ ticket: Ticket) {
        let now = now()
        state.withLock { state in
            defer { state.end(ticket) }
            guard state.isLatest(response, ticket, at: now) else { return }
            state.endLoads(of: response.key)
            state.keep(response)
            // Enqueued under the lock, in the order of other changes.
            let isEnqueued = folder?.enqueue(response) == true
            if isEnqueued || state.index.contains(response) { state.statistics.stores += 1 }
        }
    }

    /// Stores a response whose body is in a file of the folder.
    ///
    /// - Parameter completion: called when it is stored, or can't be. The folder may be busy for long, so the engine's
    ///   thread doesn't wait for it.
    func keep(
        _ response: StoredResponse, _ ticket: Ticket, in file: WritableFile, length: Int64, checksum: UInt64,
        completion: @escaping @Sendable () -> Void
    ) {
        guard let folder else { return completion() }
        let now = now()
        folder.perform { [self] folder in
            let isLatest = state.withLock { $0.isLatest(response, ticket, at: now) }
            if !isLatest { file.discard() }
            let stored = isLatest ? folder.adopt(file, response, length: length, checksum: checksum) : nil
            state.withLock { state in
                defer { state.end(ticket) }
                // If it was removed or replaced between the two steps, the folder follows, after it was added.
                guard state.admits(ticket) else { return }
                guard let stored else {
                    // An older one would be served in its place.
                    return state.index.remove(response.key) { $0.variant == response.variant }
                }
                state.keep(response.with(body: .file(stored)))
                state.statistics.stores += 1
            }
            // Not on the queue of the folder, where callers' code must not run.
            DispatchQueue.global().async(execute: completion)
        }
    }

    /// Replaces a response by one with newer fields, unless it was removed meanwhile, or the answer to a newer request
    /// is stored.
    func replace(_ old: StoredResponse, with new: StoredResponse) {
        let now = now()
        state.withLock { state in
            guard !state.hasNewer(than: new, at: now) else { return }
            let isInMemory = state.index.contains(old)
            let others = isInMemory ? [] : state.index.responses(for: old.key)
            guard !others.contains(where: { $0.variant == old.variant }) else { return }
            state.endLoads(of: old.key)
            // With the same names it stays beside the new one, as the response to requests with other values.
            if new.variant.names != old.variant.names {
                state.index.remove(old.key) { $0 === old }
                folder?.perform { $0.removeUnlessReplaced(old) }
            }
            state.newest.note(new, among: state.visitCount(new.key.uri))
            if isInMemory { state.keep(new) }
            // A response without room in memory is in the folder, unless it was removed.
            folder?.perform { $0.update(new, mayAdd: isInMemory) }
        }
    }

    /// Whether this response was neither replaced nor removed.
    func isCurrent(_ response: StoredResponse) -> Bool { state.withLock { $0.index.contains(response) } }

    /// How many requests are in flight or look-ups read a key, and how many responses are being stored; zero when all
    /// have ended.
    var unfinished: (visits: Int, fills: Int) {
        state.withLock { state in
            let visits = state.visits.values.reduce(0) { $0 + $1.count }
            return (visits + state.loads.values.reduce(0) { $0 + $1.count }, state.fills.count)
        }
    }
}
