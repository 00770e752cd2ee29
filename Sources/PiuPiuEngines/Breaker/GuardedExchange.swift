import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of a ``BreakingEngine``: it observes its events, and records the outcome once.
final class GuardedExchange: TransferTurn {
    private struct State {
        /// `nil` once the outcome is known.
        var permit: Circuits.Permit?
        var verdict: ExchangeVerdict
        /// How many waits it is in that say nothing about its server: in queues, for a disk, and for chunks to be collected.
        var waits = 0
        var onEvent: (@Sendable (TransferEvent) -> Void)?
    }

    private let request: TransferRequest
    private let engine: BreakingEngine
    private let state: Locked<State>

    init(
        _ request: TransferRequest, permit: Circuits.Permit, engine: BreakingEngine,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.request = request
        self.engine = engine
        let verdict = ExchangeVerdict(isLarge: request.expectsLargeResponse)
        state = Locked(State(permit: permit, verdict: verdict, onEvent: onEvent))
    }

    func start() -> any TransferHandle {
        var guarded = request
        guarded.turn = self
        if let chunks = request.chunks {
            guarded.body = .chunks(chunks.watched(onFailure: { [state] in state.withLock { $0.verdict.bodyFailed() } }))
        }
        let receiver = TransferReceiver(url: request.urlRequest.url) { [self] event in receive(event) }
        return GuardedHandle(handle: engine.base.start(spooling: guarded) { receiver.receive($0) }, exchange: self)
    }

    private func receive(_ event: TransferEvent) {
        let (outcome, permit, onEvent) = state.withLock { state in
            let outcome = state.verdict.outcome(after: event)
            let permit = outcome.flatMap { _ in state.permit.take() }
            return (outcome, permit, event.isTerminal ? state.onEvent.take() : state.onEvent)
        }
        // First, so that the receiver of the event sees the circuit as it is after the event.
        if let outcome, let permit { engine.record(outcome, of: permit) }
        onEvent?(event)
    }

    /// The exchange is cancelled: a probe gives its turn back at once.
    func end(because error: any Error) {
        let (outcome, permit) = state.withLock { state in
            (state.waits > 0 ? .nothing : state.verdict.outcome(ofGivingUp: error), state.permit.take())
        }
        if let permit { engine.record(outcome, of: permit) }
    }

    // MARK: Turns

    func waits() {
        let permit = state.withLock { state in
            state.waits += 1
            return state.permit
        }
        // A probe that waits may do so for long, and others would wait for its outcome: the first that begins is the
        // probe.
        if let permit, permit.isProbe { engine.record(.nothing, of: permit) }
        request.turn?.waits()
    }

    func begins() throws {
        let permit = state.withLock { state in
            state.waits -= 1
            return state.permit
        }
        if let permit {
            switch engine.enterAgain(with: permit) {
            case .pass(let permit):
                // Unless it was cancelled meanwhile.
                let isKept = state.withLock { state in
                    guard state.permit != nil else { return false }
                    state.permit = permit
                    return true
                }
                if !isKept { engine.record(.nothing, of: permit) }
            case .refuse(let remaining):
                state.release { $0.permit = nil }
                throw CircuitOpenError(retryAfter: remaining, url: request.urlRequest.url)
            }
        }
        try request.turn?.begins()
    }

    func waitsForDisk() {
        state.withLock { $0.waits += 1 }
        request.turn?.waitsForDisk()
    }

    func leavesDisk() throws {
        state.withLock { $0.waits -= 1 }
        try request.turn?.leavesDisk()
    }
}

/// The handle of an exchange with a permit.
private struct GuardedHandle: ExplainedHandle {
    let handle: any TransferHandle
    let exchange: GuardedExchange

    func cancel(because error: any Error) {
        exchange.end(because: error)
        handle.giveUp(because: error)
    }

    func recover(from error: any Error) -> Bool { handle.goesOn(after: error) }
    func endWithAnswer(isUrgent: Bool) -> Bool { handle.endsWithAnswer(isUrgent: isUrgent) }
    func pause() { handle.pause() }
    func resume() { handle.resume() }
}
