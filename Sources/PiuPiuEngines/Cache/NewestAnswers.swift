import Foundation

/// When the requests were sent whose answers came last, as long as older ones for the same URI are in flight.
///
/// The answer to such a request may come late, when memory has no room for the newer one, or has evicted it, or when
/// that one can't be stored.
struct NewestAnswers: Sendable {
    private struct Variant: Hashable {
        let key: CacheKey
        let variant: CacheVariant
    }

    /// An answer that isn't stored: it outdates all that its request selects, whatever `Vary` these have.
    private struct Unstored {
        let question: CacheQuestion
        let requestTime: TimeInterval
    }

    private var times: [String: [Variant: TimeInterval]] = [:]
    private var unstored: [String: [Unstored]] = [:]

    /// A response is stored.
    ///
    /// - Parameter visits: how many requests for its URI are in flight, its own included.
    mutating func note(_ response: StoredResponse, among visits: Int) {
        guard visits > 1 else { return }
        // A request that goes on for long doesn't collect the variants of all that come meanwhile.
        if times[response.key.uri]?.count ?? 0 >= CacheIndex.mostVariants { times[response.key.uri] = nil }
        let variant = Variant(key: response.key, variant: response.variant)
        times[response.key.uri, default: [:]][variant] = response.requestTime
    }

    /// The answer to a request can't be stored.
    ///
    /// - Parameter visits: how many requests for its URI are in flight, its own included.
    mutating func note(unstored question: CacheQuestion, sentAt requestTime: TimeInterval, among visits: Int) {
        guard visits > 1 else { return }
        let uri = question.key.uri
        if unstored[uri]?.count ?? 0 >= CacheIndex.mostVariants { unstored[uri]?.removeFirst() }
        unstored[uri, default: []].append(Unstored(question: question, requestTime: requestTime))
    }

    /// Whether the answer to a newer request has come. A time to come shows only that the clock was set.
    func haveNewer(
        _ key: CacheKey, _ variant: CacheVariant, than requestTime: TimeInterval, at now: TimeInterval
    ) -> Bool {
        let time = times[key.uri]?[Variant(key: key, variant: variant)]
        return time.map { $0 > requestTime && $0 <= now } == true
            || haveUnstored(key, variant, than: requestTime, at: now)
    }

    /// The same of an answer that isn't stored.
    func haveUnstored(
        _ key: CacheKey, _ variant: CacheVariant, than requestTime: TimeInterval, at now: TimeInterval
    ) -> Bool {
        unstored[key.uri]?.contains {
            $0.question.key == key && $0.requestTime > requestTime && $0.requestTime <= now
                && $0.question.selects(variant)
        } == true
    }

    /// No request for a URI is in flight any more.
    mutating func forget(_ uri: String) {
        times[uri] = nil
        unstored[uri] = nil
    }
}
