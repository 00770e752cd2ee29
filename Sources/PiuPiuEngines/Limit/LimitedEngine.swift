import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine that limits concurrent requests, and enqueues the others: see
/// ``TransferEngine/limited(to:perHost:maximumWaiting:)``.
///
/// ``TransferSlots`` decides; a ``LimitedExchange`` waits or runs.
final class LimitedEngine: DecoratingEngine {
    private struct State {
        var slots: TransferSlots
        var exchanges: [Int: LimitedExchange] = [:]
        var lastTicket = 0
        var ending = EngineEnding()

        mutating func makeTicket() -> Int {
            lastTicket += 1
            return lastTicket
        }

        /// `nil` when new exchanges are refused.
        mutating func enter(
            _ exchange: LimitedExchange, _ host: String, _ request: TransferRequest
        ) -> TransferSlots.Admission? {
            guard !ending.hasBegun else { return nil }
            // The hop before a redirect, or the request that this one replaces, may hold its slot until it has ended.
            let admission = slots.enter(
                exchange.ticket, host: host, skipsLine: request.isOfCredentialRefresh,
                isBounded: !request.isLaterHop && !request.isReplacement)
            if admission != .full { exchanges[exchange.ticket] = exchange }
            return admission
        }

        /// The exchanges to send, whose turn has come; none once all are being cancelled.
        func exchanges(of tickets: [Int]) -> [LimitedExchange] {
            ending.isCancelling ? [] : tickets.compactMap { exchanges[$0] }
        }
    }

    let base: any TransferEngine
    /// Whether the engine below may start tasks.
    let startsTasks: Bool
    private let rules: SlotRules
    private let state: Locked<State>
    /// Sends the dequeued exchanges, in order, and not in the task of the exchange that has ended.
    private let queue = DispatchQueue(label: "PiuPiu.line")

    init(_ base: any TransferEngine, rules: SlotRules) {
        self.base = base
        startsTasks = base.startsTasks
        self.rules = rules
        state = Locked(
            State(
                slots: TransferSlots(
                    total: rules.total, perHost: rules.perHost, maximumWaiting: rules.maximumWaiting)))
    }

    var settings: TransferSettings {
        var settings = base.settings
        settings.hasLinesInEngine = true
        return settings
    }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let url = request.urlRequest.url
        guard let host = rules.line(request) else {
            guard !state.withLock({ $0.ending.hasBegun }) else {
                return RefusedExchange(TransferError(.sessionInvalidated, url: url), onEvent: onEvent)
            }
            return base.start(spooling: request, onEvent: onEvent)
        }
        let ticket = state.withLock { $0.makeTicket() }
        let exchange = LimitedExchange(request, ticket: ticket, engine: self, onEvent: onEvent)
        // Before it enters: another thread may give it its turn at once.
        request.turn?.waits()
        switch state.withLock({ $0.enter(exchange, host, request) }) {
        case .begin: exchange.begin()
        case .wait: exchange.waitForTurn()
        case .full:
            return RefusedExchange(LineFullError(maximumWaiting: rules.maximumWaiting, url: url), onEvent: onEvent)
        case nil:
            return RefusedExchange(TransferError(.sessionInvalidated, url: url), onEvent: onEvent)
        }
        return exchange
    }

    func finishTasksAndInvalidate() { end(.finishing) }

    func invalidateAndCancel() { end(.cancelling) }

    // MARK: For the exchanges

    /// An exchange is over: its slot goes to the next in the queue.
    ///
    /// - Returns: the exchanges whose turn has come; ``send(_:)`` must follow.
    func leave(_ exchange: LimitedExchange) -> [LimitedExchange] {
        let (left, next, ending) = state.withLock { state in
            let next = state.slots.leave(exchange.ticket)
            let left = state.exchanges.removeValue(forKey: exchange.ticket)
            return (left, state.exchanges(of: next), state.ending.next(isEmpty: state.exchanges.isEmpty))
        }
        withExtendedLifetime(left) { base.invalidate(ending) }
        return next
    }

    /// A connection of a host carries many exchanges at once, which raises its limit, or one after the other, which
    /// resets it: see ``TransferDriver``.
    func heed(_ isMultiplexed: Bool, shownBy request: TransferRequest) {
        guard let limit = rules.perMultiplexedHost, let line = request.urlRequest.url?.origin,
            isMultiplexed || !request.body.hasUnknownLength && state.withLock({ $0.slots.hasRaisedLimits })
        else { return }
        let next = state.withLock { state in
            guard !isMultiplexed else { return state.exchanges(of: state.slots.raiseLimit(of: line, to: limit)) }
            state.slots.resetLimit(of: line)
            return []
        }
        send(next)
    }

    func send(_ exchanges: [LimitedExchange]) {
        for exchange in exchanges {
            if let turn = exchange.turn { turn.open() } else { queue.async { exchange.begin() } }
        }
    }

    private func end(_ kind: EngineEnding.Kind) {
        let cancelled = state.withLock { state in
            state.ending.begin(kind)
            return kind == .cancelling ? Array(state.exchanges.values) : []
        }
        for exchange in cancelled { exchange.cancel() }
        let ending = state.withLock { state in
            state.ending.hasCancelled()
            return state.ending.next(isEmpty: state.exchanges.isEmpty)
        }
        base.invalidate(ending)
    }
}
