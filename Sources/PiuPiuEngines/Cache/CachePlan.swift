package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What to do for a request, given the stored responses (rules STALE, VALIDATE and REQUEST; RFC 9111, section 4).
package enum CachePlan: Sendable {
    /// The stored response is the answer.
    case serve(StoredResponse, isStale: Bool)
    /// The stored response is the answer, and is then validated for the next request (RFC 5861, section 3).
    case serveAndRefresh(StoredResponse)
    /// The server is asked to validate the stored responses; `chosen` would be the answer.
    case validate(chosen: StoredResponse?, all: [StoredResponse], CacheStatus.Forward)
    /// The request is forwarded as if nothing were stored.
    case forward(CacheStatus.Forward)
    /// No stored response can be the answer, and the server must not be asked.
    case refuse

    /// Decides on a request.
    ///
    /// - Parameters:
    ///   - stored: the stored responses of its key, in any order. A response to HEAD answers only HEAD.
    ///   - now: seconds since 1970.
    package static func plan(_ question: CacheQuestion, stored: [StoredResponse], at now: TimeInterval) -> CachePlan {
        var answer = answer(question, stored: stored, at: now)
        // The response to a HEAD itself shows whether the stored response is still valid.
        if question.method == "HEAD", case .validate(_, _, let reason) = answer { answer = .forward(reason) }
        guard question.isOffline else { return answer }
        switch answer {
        case .serve, .refuse: return answer
        case .serveAndRefresh(let stored): return .serve(stored, isStale: true)
        case .validate, .forward: return .refuse
        }
    }

    private static func answer(_ question: CacheQuestion, stored: [StoredResponse], at now: TimeInterval) -> CachePlan {
        guard question.method == "GET" || question.method == "HEAD" else { return .forward(.method) }
        guard question.isAnswerable else { return .forward(question.isPartial ? .partial : .bypass) }
        // A request that forbids storing wants the newest response.
        guard !question.directives.contains("no-store") else { return .forward(.request) }
        switch question.policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: return .forward(.request)
        default: break
        }
        guard !stored.isEmpty else { return .forward(.uriMiss) }
        guard let chosen = choose(from: stored, for: question) else {
            // A validation can't change the coding of a stored body.
            let validated = StoredResponse.toValidate(of: stored.filter { question.accepts(codings: $0.codings) })
            return validated.isEmpty ? .forward(.varyMiss) : .validate(chosen: nil, all: validated, .varyMiss)
        }
        if question.policy == .returnCacheDataElseLoad || question.policy == .returnCacheDataDontLoad {
            return .serve(chosen, isStale: !chosen.isFresh(at: now))
        }
        return plan(question, chosen, all: stored, at: now)
    }

    /// The newest of the responses that the request selects (RFC 9111, section 4.1).
    static func choose(from stored: [StoredResponse], for question: CacheQuestion) -> StoredResponse? {
        // Most responses have no names, and the others mostly share them: no digest is computed twice.
        var digests: [[String]: CacheVariant] = [:]
        func matches(_ response: StoredResponse) -> Bool {
            guard question.accepts(codings: response.codings) else { return false }
            let names = response.variant.names
            guard !names.isEmpty else { return true }
            if digests[names] == nil { digests[names] = CacheVariant(names, of: question.headers) }
            return digests[names] == response.variant
        }
        return stored.filter(matches).max { ($0.date, $0.responseTime) < ($1.date, $1.responseTime) }
    }

    private static func plan(
        _ question: CacheQuestion, _ chosen: StoredResponse, all: [StoredResponse], at now: TimeInterval
    ) -> CachePlan {
        let request = question.directives, response = chosen.directives
        let validation = CachePlan.validate(chosen: chosen, all: [chosen], .request)
        if request.contains("no-cache") || question.policy == .reloadRevalidatingCacheData { return validation }
        let age = chosen.age(at: now)
        if case .seconds(let limit) = request.seconds("max-age"), age > TimeInterval(limit) { return validation }
        if case .seconds(let least) = request.seconds("min-fresh"), chosen.lifetime - age < TimeInterval(least) {
            return validation
        }
        let stale = CachePlan.validate(chosen: chosen, all: [chosen], .stale)
        if response.forbidsUnvalidated { return stale }
        if chosen.isFresh(at: now) { return .serve(chosen, isStale: false) }
        guard !response.contains("must-revalidate") else { return stale }
        let staleness = age - chosen.lifetime
        if request.admits(staleness, "max-stale", withoutArgument: true) {
            return .serve(chosen, isStale: true)
        }
        if response.admits(staleness, "stale-while-revalidate") { return .serveAndRefresh(chosen) }
        return stale
    }

    /// Whether a stored response may be the answer after the server has failed: a stale one (rule STALE), or what has
    /// replaced it while the server was asked.
    ///
    /// - Parameter isDisconnected: whether the server could not be reached at all; otherwise it answered with an error,
    ///   or not at all.
    package static func mayServe(
        _ stored: StoredResponse, to question: CacheQuestion, afterFailureAt now: TimeInterval, isDisconnected: Bool
    ) -> Bool {
        let request = question.directives, response = stored.directives
        guard !request.contains("no-cache"), question.policy != .reloadRevalidatingCacheData,
            !response.forbidsUnvalidated
        else { return false }
        let age = stored.age(at: now), staleness = age - stored.lifetime
        // The request may refuse the response for another reason than staleness.
        if case .seconds(let limit) = request.seconds("max-age"), age > TimeInterval(limit) { return false }
        if case .seconds = request.seconds("min-fresh") { return false }
        if stored.isFresh(at: now) { return true }
        guard !response.contains("must-revalidate") else { return false }
        return isDisconnected || response.admits(staleness, "stale-if-error")
            || request.admits(staleness, "stale-if-error")
    }

    /// Whether a stored response is the answer instead of the server's error (RFC 5861, section 4).
    package static func mayServe(
        _ stored: StoredResponse, to question: CacheQuestion, insteadOf status: Int, at now: TimeInterval
    ) -> Bool {
        isFailure(status) && question.method == "GET"
            && mayServe(stored, to: question, afterFailureAt: now, isDisconnected: false)
    }

    /// Whether a stored response may take the place of an answer with this status.
    static func isFailure(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }
}

extension CacheDirectives {
    /// Whether a response must be validated before each use: `no-cache` without field names.
    var forbidsUnvalidated: Bool { contains("no-cache") && fieldNames("no-cache") == nil }

    /// Whether a directive admits a response that has been stale for this long.
    func admits(_ staleness: TimeInterval, _ name: String, withoutArgument: Bool = false) -> Bool {
        if case .seconds(let limit) = seconds(name) { return staleness <= TimeInterval(limit) }
        return withoutArgument && contains(name) && argument(name) == nil
    }
}
