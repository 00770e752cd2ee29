import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The attempts of one exchange, for the policies inside it (rule COUNT).
///
/// It is found through the task, so it passes through any wrapper or mock. Other requests sent on the way, such as an
/// adapter's for a token, are ignored: method and URL distinguish them.
final class RetryScope: Sendable {
    static var current: RetryScope? { PolicyContext.current.retryScope }

    let urlRequest: URLRequest
    /// The scope around this one: a decision inside counts for it, too.
    private let outer: RetryScope?
    /// The budget of the policy.
    private let budget: RetryBudget?
    private let isDecided = Atomic(false)
    /// Whether the policy that decides inside has the same budget: the innermost, which enters last.
    private let isCountedInside = Atomic(false)
    private let attempt = Atomic(1)
    /// Made by the first attempt with a credential.
    private let sessions = AtomicLazyReference<ExchangeSessions>()

    init(of urlRequest: URLRequest, inside outer: RetryScope? = nil, with budget: RetryBudget? = nil) {
        self.outer = outer
        self.budget = budget
        self.urlRequest = urlRequest
    }

    /// Whether a policy inside decides on this exchange.
    var isDecidedInside: Bool { isDecided.load(ordering: .sequentiallyConsistent) }

    /// Whether a retry inside or around this hedge gives the tokens of a success back to the same budget (rule BUDGET).
    var isCountedElsewhere: Bool {
        if isDecidedInside { return isCountedInside.load(ordering: .sequentiallyConsistent) }
        guard let outer, outer.isOfSameExchange(as: self) else { return false }
        return outer.shares(budget)
    }

    /// Another attempt begins.
    func begin(attempt number: Int) {
        attempt.store(number, ordering: .sequentiallyConsistent)
    }

    /// The number of the current attempt of this request; `nil` for another one.
    func attempt(of urlRequest: URLRequest) -> Int? {
        urlRequest.isSameExchange(as: self.urlRequest) ? attempt.load(ordering: .sequentiallyConsistent) : nil
    }

    /// A policy is about to decide on the same exchange as this one.
    func enter(_ inner: RetryScope) {
        guard isOfSameExchange(as: inner) else { return }
        isCountedInside.store(shares(inner.budget), ordering: .sequentiallyConsistent)
        isDecided.store(true, ordering: .sequentiallyConsistent)
        outer?.enter(inner)
    }

    /// The sessions that this request was first sent in; `nil` for another request.
    func sessions(of urlRequest: URLRequest) -> ExchangeSessions? {
        guard urlRequest.isSameExchange(as: self.urlRequest) else { return nil }
        return outer?.sessions(of: urlRequest) ?? sessions.load() ?? sessions.storeIfNil(ExchangeSessions())
    }

    private func shares(_ other: RetryBudget?) -> Bool { budget?.isShared(with: other) ?? false }

    func isOfSameExchange(as other: RetryScope) -> Bool { urlRequest.isSameExchange(as: other.urlRequest) }
}

extension URLRequest {
    /// Whether both belong to the same exchange, as far as nested policies can tell.
    func isSameExchange(as other: URLRequest) -> Bool { httpMethod == other.httpMethod && url == other.url }
}
