import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The attempts of one exchange that have ended so far, for the error of a deadline around them (rule LAST).
///
/// It is found by way of ``Deadline/current``. Of a request that is hedged, the attempts of the copy that has told last count.
final class AttemptHistory: Sendable {
    private let urlRequest: URLRequest
    private let outer: AttemptHistory?
    private let state = Locked<[ExchangeAttempt]>([])

    /// - Parameter outer: that of the deadline around this one.
    init(of urlRequest: URLRequest, inside outer: AttemptHistory?) {
        self.urlRequest = urlRequest
        self.outer = outer
    }

    var attempts: [ExchangeAttempt] { state.withLock { $0 } }

    /// These attempts of a request have ended; those of another one, such as that of an adapter for a token, don't count.
    func record(_ attempts: [ExchangeAttempt], of urlRequest: URLRequest) {
        outer?.record(attempts, of: urlRequest)
        guard urlRequest.isSameExchange(as: self.urlRequest) else { return }
        state.withLock { $0 = attempts }
    }
}
