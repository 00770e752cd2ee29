import Synchronization
#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The attempts of one exchange, for the policies inside it (rule COUNT).
///
/// It is found through the task, so it passes through any wrapper or mock. Other requests sent on the way, such as a
/// wrapper's for a token, are ignored: method and URL distinguish them. A policy in between may change both: see
/// ``ExchangeAlias``. The requests of adapters never find it.
package final class RetryScope: Sendable {
    package let urlRequest: URLRequest
    /// The scope around this one: a decision inside counts for it, too.
    private let outer: RetryScope?
    private let alias: ExchangeAlias?
    /// The budget of the policy.
    package let budget: RetryBudget?
    private let isDecided = Atomic(false)
    /// Whether the policy that decides inside has the same budget: the innermost, which enters last.
    private let isCountedInside = Atomic(false)
    /// Made by the first answer of a server that asks for a wait.
    private let waits = AtomicLazyReference<ServerWaits>()
    /// Whether a server has received a part of the request in the current attempt.
    private let isSent = Atomic(false)
    private let isFailureStored = Atomic(false)
    private let attempt = Atomic(1)
    /// Whether it is that of a hedge, whose copies have the number of the attempt around it.
    private let isOfHedge: Bool
    /// Made by the first attempt with a credential.
    private let sessions = AtomicLazyReference<ExchangeSessions>()

    /// - Parameter context: what the policies around it have left.
    package init(
        of urlRequest: URLRequest, in context: PolicyContext, with budget: RetryBudget?, isOfHedge: Bool = false
    ) {
        outer = context.retryScope
        alias = context.alias
        self.budget = budget
        self.urlRequest = urlRequest
        self.isOfHedge = isOfHedge
    }

    /// Whether a policy inside decides on this exchange.
    package var isDecidedInside: Bool { isDecided.load(ordering: .sequentiallyConsistent) }

    /// Whether a retry inside or around this hedge gives the tokens of a success back to the same budget (rule BUDGET).
    package var isCountedElsewhere: Bool {
        if isDecidedInside { return isCountedInside.load(ordering: .sequentiallyConsistent) }
        guard let outer, isOfExchange(of: outer.urlRequest) else { return false }
        return outer.shares(budget)
    }

    /// Another attempt begins.
    package func begin(attempt number: Int) {
        attempt.store(number, ordering: .sequentiallyConsistent)
        isSent.store(false, ordering: .sequentiallyConsistent)
        // The waits are over, though perhaps not by the clock of a hedge inside.
        waits.load()?.removeAll()
    }

    /// Notes how far a transfer of this request has come. In the same attempt a wrapper may send it once more, which
    /// doesn't undo that a server has it.
    package func note(_ step: TransferStep) {
        guard step.wasSent else { return }
        isSent.store(true, ordering: .sequentiallyConsistent)
        guard let outer, isOfExchange(of: outer.urlRequest) else { return }
        outer.note(step)
    }

    /// Whether a server has received a part of the request in the current attempt, whatever was sent after it.
    package var wasSent: Bool { isSent.load(ordering: .sequentiallyConsistent) }

    /// Notes a transient failure of this exchange, in any copy.
    ///
    /// - Parameter head: that of the response, if there is one.
    package func note(failure head: TransferHead?) {
        guard head?.cacheStatus?.isStored == true else { return }
        isFailureStored.store(true, ordering: .sequentiallyConsistent)
        guard let outer, isOfExchange(of: outer.urlRequest) else { return }
        outer.note(failure: head)
    }

    /// Whether a cache has stored such a failure, also of another copy, and would answer with it.
    package var hasStoredFailure: Bool {
        if isFailureStored.load(ordering: .sequentiallyConsistent) { return true }
        guard let outer, isOfExchange(of: outer.urlRequest) else { return false }
        return outer.hasStoredFailure
    }

    /// The number of the current attempt of this request; `nil` for another one.
    package func attempt(of urlRequest: URLRequest, in context: PolicyContext) -> Int? {
        guard context.isSameExchange(urlRequest, as: self.urlRequest) else { return nil }
        return isOfHedge ? outer?.attempt(of: urlRequest, in: context) : attempt.load(ordering: .sequentiallyConsistent)
    }

    /// A policy is about to decide on the same exchange as this one.
    package func enter(_ inner: RetryScope) {
        guard inner.isOfExchange(of: urlRequest) else { return }
        isCountedInside.store(shares(inner.budget), ordering: .sequentiallyConsistent)
        isDecided.store(true, ordering: .sequentiallyConsistent)
        outer?.enter(inner)
    }

    /// A server has asked for a wait: neither this policy nor those around it, in any copy, send anything more before
    /// its end (rule RETRY-AFTER).
    package func note(_ wait: ServerWait) {
        (waits.load() ?? waits.storeIfNil(ServerWaits())).add(wait)
        guard let outer, isOfExchange(of: outer.urlRequest) else { return }
        outer.note(wait)
    }

    /// How much is left of the longest wait that a server has asked for, also in another copy; `nil` if none has.
    package var serverWait: Duration? {
        let own = waits.load()?.rest
        guard let outer, isOfExchange(of: outer.urlRequest), let around = outer.serverWait else { return own }
        return max(own ?? .zero, around)
    }

    /// The sessions that this request was first sent in; `nil` for another request.
    package func sessions(of urlRequest: URLRequest, in context: PolicyContext) -> ExchangeSessions? {
        guard context.isSameExchange(urlRequest, as: self.urlRequest) else { return nil }
        return outer?.sessions(of: urlRequest, in: context) ?? sessions.load()
            ?? sessions.storeIfNil(ExchangeSessions())
    }

    private func shares(_ other: RetryBudget?) -> Bool { budget?.isShared(with: other) ?? false }

    /// Whether it is of the same exchange as a request of a policy around it.
    package func isOfExchange(of other: URLRequest) -> Bool { urlRequest.isSameExchange(as: other, by: alias) }
}
