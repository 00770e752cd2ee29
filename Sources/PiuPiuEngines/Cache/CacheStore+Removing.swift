import Foundation

/// Removing: what is no longer valid, or must go.
extension CacheStore {
    /// Removes a response that is no longer valid, unless the answer to a newer request has replaced it.
    ///
    /// - Parameter requestTime: when the request was sent whose answer shows that.
    func remove(_ response: StoredResponse, unlessNewerThan requestTime: TimeInterval) {
        let now = now()
        state.release { state in
            guard !state.hasNewer(response.key, response.variant, than: requestTime, at: now) else { return }
            state.endLoads(of: response.key)
            state.index.remove(response.key) { $0.variant == response.variant }
            folder?.perform { $0.remove(response) }
        }
    }

    /// Removes the responses that a request selects, as the server has a newer one, which isn't stored. The answers to
    /// newer requests stay.
    ///
    /// - Parameters:
    ///   - requestTime: when the request was sent.
    ///   - visit: the visit of the request, if late answers to older requests may not be stored, either.
    func removeSelected(by question: CacheQuestion, sentAt requestTime: TimeInterval, outdating visit: Visit?) {
        let key = question.key, time = now()
        let isMeant: @Sendable (StoredResponse, TimeInterval) -> Bool = { response, now in
            question.selects(response.variant) && !response.isNewer(than: requestTime, at: now)
        }
        state.release { state -> [StoredResponse] in
            // The file of such a response may just be put in place.
            let areArriving = state.fills[key] != nil
            if let visit { state.outdate(by: question, visit, sentAt: requestTime) }
            let stored = state.index.responses(for: key), old = stored.filter { isMeant($0, time) }
            if !old.isEmpty {
                state.endLoads(of: key)
                state.index.remove(key) { isMeant($0, time) }
            }
            guard let folder else { return old }
            for response in old { folder.perform { $0.remove(response) } }
            guard areArriving || folder.mayHold(moreThan: stored.count, of: key) else { return old }
            state.endLoads(of: key)
            folder.perform { [now] folder in
                for response in folder.load(key) where isMeant(response, now()) { folder.remove(response) }
            }
            return old
        }
    }

    /// Whether the answer to a newer request than that of a response has removed it, or has replaced it and is at hand. If
    /// it is only in the folder, the older one is better than none.
    func isOutdated(_ response: StoredResponse) -> Bool {
        let now = now()
        return state.withLock { state in
            guard state.hasNewer(than: response, at: now) else { return false }
            let (key, variant, time) = (response.key, response.variant, response.requestTime)
            if folder == nil || state.newest.haveUnstored(key, variant, than: time, at: now) { return true }
            return state.index.responses(for: key).contains {
                $0.variant == variant && $0.isNewer(than: time, at: now)
            }
        }
    }

    /// Removes a response whose body can't be read, unless a newer one has replaced it.
    func removeUnreadable(_ response: StoredResponse) {
        state.release { state in
            state.endLoads(of: response.key)
            state.index.remove(response.key) { $0.variant == response.variant && $0.body.isSameFile(as: response.body) }
            folder?.perform { $0.removeUnlessReplaced(response) }
        }
    }

    /// Removes all responses of a URI, also those that are arriving.
    ///
    /// - Parameter visit: the visit that caused the removal, whose response may still be stored.
    func remove(uri: String, for visit: Visit? = nil) {
        state.release { state in
            state.loads[uri] = nil
            state.index.remove(uri: uri)
            let ended = state.visits[uri]?.filter { $0.key != visit?.number } ?? [:]
            state.visits[uri] = state.visits[uri]?.filter { $0.key == visit?.number }
            let fills = ended.values.compactMap(\.fill)
            abandon(fills)
            folder?.enqueueRemoval(of: uri)
            return fills
        }
    }

    /// Removes everything, also responses that are arriving.
    func removeAll() {
        state.release { state in
            let old = state.index, fills = state.visits.values.flatMap { $0.values.compactMap(\.fill) }
            state.index.removeAll()
            state.loads = [:]
            state.visits = [:]
            state.newest = NewestAnswers()
            abandon(fills)
            folder?.perform { $0.removeAll() }
            return (old, fills)
        }
    }

    /// Discards what has arrived of bodies whose next part may be long in coming: on the folder's queue, so that a flush
    /// waits for it. The caller releases them outside the lock, which their end needs.
    private func abandon(_ fills: [CacheFill]) {
        guard !fills.isEmpty else { return }
        folder?.perform { _ in for fill in fills { fill.abandon() } }
    }
}
