import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The attempts of one exchange that have ended so far, for the error of a deadline around them (rule LAST).
///
/// It is found through ``Deadline/current``. For a hedged request, the attempts of the copy that reported last count.
final class AttemptHistory: Sendable {
    private let urlRequest: URLRequest
    private let outer: AttemptHistory?
    private let state = Locked<[ExchangeAttempt]>([])

    /// - Parameter outer: the history of the deadline around this one.
    init(of urlRequest: URLRequest, inside outer: AttemptHistory?) {
        self.urlRequest = urlRequest
        self.outer = outer
    }

    var attempts: [ExchangeAttempt] { state.withLock { $0 } }

    /// Records the ended attempts of a request. Those of other requests, such as an adapter's for a token, are ignored.
    func record(_ attempts: [ExchangeAttempt], of urlRequest: URLRequest) {
        outer?.record(attempts, of: urlRequest)
        guard urlRequest.isSameExchange(as: self.urlRequest) else { return }
        state.withLock { $0 = attempts }
    }
}
