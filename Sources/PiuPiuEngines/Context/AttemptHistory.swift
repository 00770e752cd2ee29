import Synchronization
#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The attempts of one exchange that have ended so far, for the error of a deadline around them (rule LAST).
///
/// It is found through ``Deadline/current``. For a hedged request, the attempts of the copy that reported last count.
package final class AttemptHistory: Sendable {
    private final class Record: Sendable {
        let attempts = Locked<[ExchangeAttempt]>([])
    }

    private let urlRequest: URLRequest
    private let outer: AttemptHistory?
    /// Made by the first attempt that another one follows: most exchanges have none.
    private let record = AtomicLazyReference<Record>()

    /// - Parameter outer: the history of the deadline around this one.
    package init(of urlRequest: URLRequest, inside outer: AttemptHistory?) {
        self.urlRequest = urlRequest
        self.outer = outer
    }

    package var attempts: [ExchangeAttempt] { record.load()?.attempts.withLock { $0 } ?? [] }

    /// Records the ended attempts of a request. Those of other requests, such as a mock's for a token, are ignored.
    package func record(_ attempts: [ExchangeAttempt], of scope: RetryScope) {
        if scope.isOfExchange(of: urlRequest) {
            let record = record.load() ?? record.storeIfNil(Record())
            record.attempts.withLock { $0 = attempts }
        }
        outer?.record(attempts, of: scope)
    }
}
