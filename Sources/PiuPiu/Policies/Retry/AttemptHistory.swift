import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The attempts of one exchange that have ended so far, for the error of a deadline around them (rule LAST).
///
/// It is found through ``Deadline/current``. For a hedged request, the attempts of the copy that reported last count.
struct AttemptHistory: Sendable {
    private struct State: Sendable {
        let urlRequest: URLRequest
        let outer: AttemptHistory?
        var attempts: [ExchangeAttempt] = []
    }

    private let state: Locked<State>

    /// - Parameter outer: the history of the deadline around this one.
    init(of urlRequest: URLRequest, inside outer: AttemptHistory?) {
        state = Locked(State(urlRequest: urlRequest, outer: outer))
    }

    var attempts: [ExchangeAttempt] { state.withLock { $0.attempts } }

    /// Records the ended attempts of a request. Those of other requests, such as an adapter's for a token, are ignored.
    func record(_ attempts: [ExchangeAttempt], of scope: RetryScope) {
        let outer = state.withLock { state in
            if scope.isOfExchange(of: state.urlRequest) { state.attempts = attempts }
            return state.outer
        }
        outer?.record(attempts, of: scope)
    }
}
