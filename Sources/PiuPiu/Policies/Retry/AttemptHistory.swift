import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The attempts of one exchange that have ended so far, for the error of a deadline around them (rule LAST).
///
/// It is found through the task. Of a request that is hedged, the attempts of the copy that has told last count.
final class AttemptHistory: Sendable {
    @TaskLocal static var current: AttemptHistory?

    private let method: String?
    private let url: URL?
    private let outer = AttemptHistory.current
    private let state = Locked<[ExchangeAttempt]>([])

    init(of urlRequest: URLRequest) {
        method = urlRequest.httpMethod
        url = urlRequest.url
    }

    var attempts: [ExchangeAttempt] { state.withLock { $0 } }

    /// These attempts of a request have ended; those of another one, such as that of an adapter for a token, don't count.
    func record(_ attempts: [ExchangeAttempt], of urlRequest: URLRequest) {
        outer?.record(attempts, of: urlRequest)
        guard urlRequest.httpMethod == method, urlRequest.url == url else { return }
        state.withLock { $0 = attempts }
    }
}

/// An error that an exchange may end with after other attempts.
package protocol AttemptError: Error {
    /// The attempts before the one that has failed like this, in order, if a ``RetryPolicy`` has made some.
    var earlierAttempts: [ExchangeAttempt] { get set }
}

extension TransferError: AttemptError {}
extension UnacceptableStatusError: AttemptError {}
extension DeadlineExceeded: AttemptError {}
extension CircuitOpenError: AttemptError {}
extension LineFullError: AttemptError {}
