import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads local resources, a few at a time, with the events of small HTTP responses.
///
/// Legacy code uses local files as mock responses, and `URLSession` on Linux can't read them.
final class LocalEngine: Sendable {
    private static let limit = 4
    private let traffic = Locked(TrafficControl<LocalExchange>(limitPerHost: limit))
    private let waiters = EndWaiters()

    /// Starts to read `resource` as the answer to `request`, once `attach` has its handle: a reader that can't pause it
    /// yet would get all of it.
    func start(
        _ resource: LocalResource, for request: URLRequest, attach: (any TransferHandle) -> Void,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let ticket = traffic.withLock { $0.makeTicket() }
        let exchange = LocalExchange(resource, of: request, ticket: ticket, engine: self, onEvent: onEvent)
        switch traffic.withLock({ $0.admit(exchange, ticket: ticket, to: "") }) {
        case .launch: exchange.launch()
        case .wait: break
        case .refused:
            return RefusedExchange(TransferError(.sessionInvalidated, url: request.url), onEvent: onEvent)
        }
        attach(exchange)
        exchange.launch()
        return exchange
    }

    /// Refuses new exchanges, and cancels the running ones if asked to.
    func invalidate(cancelling: Bool) {
        let cancelled = traffic.withLock { $0.end(cancelling ? .cancelling : .finishing) }
        for exchange in cancelled { exchange.cancel() }
        traffic.withLock { $0.hasCancelled() }
    }

    /// Removes a waiting exchange from the line.
    func withdraw(_ exchange: LocalExchange) {
        traffic.withLock { $0.withdraw(exchange.ticket) }
    }

    /// An exchange is paused by its reader, for any time: launches the next in line.
    func park(_ exchange: LocalExchange) {
        traffic.withLock { $0.park(exchange.ticket) }?.launch()
    }

    /// An exchange is over: launches the next in line.
    func leave(_ exchange: LocalExchange) {
        let (next, isOver) = traffic.withLock { ($0.leave(exchange.ticket), $0.isOver) }
        next?.launch()
        if isOver { waiters.open() }
    }

    /// Suspends until the last exchange has ended after the end has begun, or the task is cancelled.
    func untilTheEnd() async {
        await waiters.wait { traffic.withLock { $0.isOver } }
    }
}
