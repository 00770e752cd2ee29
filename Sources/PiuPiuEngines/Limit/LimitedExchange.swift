import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of a ``LimitedEngine``: it waits for its turn, runs, and releases its slot.
final class LimitedExchange: ExplainedHandle, RelayedExchange {
    private struct State {
        /// The request to send; `nil` once it was sent, or won't be.
        var request: TransferRequest?
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var relay = HandleRelay()
        /// Whether it keeps its slot for the time of its cancellation.
        var isBeingCancelled = false
        /// Whether it has ended meanwhile.
        var hasLeft = false

        /// Ends the exchange before it was sent. Returns the receiver; `nil` if it is too late.
        mutating func giveUp() -> (@Sendable (TransferEvent) -> Void)? {
            request.take().flatMap { _ in onEvent.take() }
        }
    }

    let ticket: Int
    /// Opens when its turn has come, or it won't be sent; `nil` if no task waits for that.
    let turn: PauseGate?
    private let engine: LimitedEngine
    private let state: Locked<State>

    init(
        _ request: TransferRequest, ticket: Int, engine: LimitedEngine,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.ticket = ticket
        self.engine = engine
        turn = engine.startsTasks || request.chunks != nil ? PauseGate() : nil
        turn?.close()
        state = Locked(State(request: request, onEvent: onEvent))
    }

    /// It has to wait: in the current task, as tasks below inherit from the one that begins it (contract rule INHERIT).
    func waitForTurn() {
        guard let turn else { return }
        Task {
            await turn.pass()
            begin()
        }
    }

    /// Its turn has come; an exchange that was cancelled meanwhile has left already.
    func begin() {
        guard let turn = state.withLock({ $0.request.map { $0.turn } }) else { return }
        do {
            try turn?.begins()
        } catch {
            return refuse(with: error)
        }
        guard let request = state.withLock({ $0.request.take() }) else { return }
        let receiver = TransferReceiver(url: request.urlRequest.url) { [self] event in receive(event, of: request) }
        attach(engine.base.start(spooling: request) { receiver.receive($0) })
    }

    private func receive(_ event: TransferEvent, of request: TransferRequest) {
        if case .head(let head, _) = event, let isMultiplexed = head.showsMultiplexing {
            engine.heed(isMultiplexed, shownBy: request)
        }
        guard event.isTerminal else {
            state.withLock { $0.onEvent }?(event)
            return
        }
        let (onEvent, handle, isCancelled, keepsSlot) = state.withLock { state in
            state.hasLeft = state.isBeingCancelled
            return (state.onEvent.take(), state.relay.end(), state.relay.isCancelled, state.hasLeft)
        }
        // When the event is delivered, the slot is free, or belongs to the next exchange. That one begins afterwards,
        // because the outcome may have opened a circuit above.
        let next = keepsSlot ? [] : engine.leave(self)
        withExtendedLifetime(handle) {}
        // The engine below may have ended before it was cancelled.
        if isCancelled, case .failed = event { onEvent?(.failed(CancellationError())) } else { onEvent?(event) }
        engine.send(next)
    }

    // MARK: From outside

    func cancel(because error: any Error) {
        refuse(with: CancellationError())
        state.withLock { state in
            state.isBeingCancelled = true
            state.relay.cancel(because: error)
        }
        apply()
        // The next in line may be cancelled together with this one, and must not be sent (rule L4).
        Trampoline.afterCancellations { [self] in
            let hasLeft = state.withLock { state in
                state.isBeingCancelled = false
                return state.hasLeft
            }
            if hasLeft { engine.send(engine.leave(self)) }
        }
    }

    /// Ends the exchange if it was not sent yet, without waiting for anything.
    private func refuse(with error: any Error) {
        guard let onEvent = state.withLock({ $0.giveUp() }) else { return }
        turn?.open()
        let next = engine.leave(self)
        // As after the cancellation of one that was sent.
        Trampoline.afterCancellations { [engine] in engine.send(next) }
        // Not on the caller's thread, which may be the main one.
        DispatchQueue.global().async { onEvent(.failed(error)) }
    }

    func withRelay<Output>(_ body: (inout HandleRelay) -> Output) -> Output { state.withLock { body(&$0.relay) } }
}
