import Foundation

/// When the requests were sent whose answers were stored last, as long as older ones for the same URI are in flight.
///
/// The answer to such a request may come late, when memory has no room for the newer one, or has evicted it.
struct NewestAnswers: Sendable {
    private struct Variant: Hashable {
        let key: CacheKey
        let variant: CacheVariant

        init(_ response: StoredResponse) {
            key = response.key
            variant = response.variant
        }
    }

    private var times: [String: [Variant: TimeInterval]] = [:]

    /// A response is stored.
    ///
    /// - Parameter visits: the requests for its URI that are in flight, its own included.
    mutating func note(_ response: StoredResponse, among visits: Set<Int>?) {
        guard let visits, visits.count > 1 else { return }
        // A request that goes on for long doesn't collect the variants of all that come meanwhile.
        if times[response.key.uri]?.count ?? 0 >= CacheIndex.mostVariants { forget(response.key.uri) }
        times[response.key.uri, default: [:]][Variant(response)] = response.requestTime
    }

    /// Whether the answer to a newer request was stored. A time to come shows only that the clock was set.
    func haveNewer(than response: StoredResponse, at now: TimeInterval) -> Bool {
        guard let time = times[response.key.uri]?[Variant(response)] else { return false }
        return time > response.requestTime && time <= now
    }

    /// No request for a URI is in flight any more.
    mutating func forget(_ uri: String) { times[uri] = nil }
}
