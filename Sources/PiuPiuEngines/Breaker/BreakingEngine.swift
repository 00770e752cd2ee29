import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine that sends no requests to servers that fail: see ``CircuitBreaker``.
///
/// ``Circuits`` decide; a ``GuardedExchange`` may be sent, and reports its outcome.
final class BreakingEngine: DecoratingEngine {
    let base: any TransferEngine
    private let now: @Sendable () -> Duration
    private let circuits: Locked<Circuits>

    init(_ base: any TransferEngine, by breaker: CircuitBreaker) {
        self.base = base
        now = breaker.now
        circuits = Locked(Circuits(CircuitRules(breaker)))
    }

    var settings: TransferSettings { base.settings }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let url = request.urlRequest.url, now = now()
        switch circuits.withLock({ $0.enter(url?.origin ?? "", at: now) }) {
        case .refuse(let remaining):
            return RefusedExchange(CircuitOpenError(retryAfter: remaining, url: url), onEvent: onEvent)
        case .pass(let permit):
            return GuardedExchange(request, permit: permit, engine: self, onEvent: onEvent).start()
        }
    }

    func finishTasksAndInvalidate() { base.finishTasksAndInvalidate() }

    func invalidateAndCancel() { base.invalidateAndCancel() }

    // MARK: For the exchanges

    /// Whether an exchange that has waited may still be sent.
    func enterAgain(with permit: Circuits.Permit) -> Circuits.Entry {
        let now = now()
        return circuits.withLock { $0.enterAgain(with: permit, at: now) }
    }

    /// An exchange is over.
    func record(_ outcome: Circuit.Outcome, of permit: Circuits.Permit) {
        let now = now()
        circuits.withLock { $0.record(outcome, of: permit, at: now) }
    }
}
