import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of an engine that gets the chunks of its body collected: see
/// ``TransferEngine/start(spooling:onEvent:)``.
final class SpooledExchange: ExplainedHandle, RelayedExchange {
    private struct State {
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var relay = HandleRelay()
        /// Collects the chunks.
        var work: Task<Void, Never>?
        /// Whether the chunks are collected, and the engine has the request.
        var isSent = false
    }

    private let request: TransferRequest
    private let engine: any TransferEngine
    private let state: Locked<State>

    init(
        _ request: TransferRequest, engine: any TransferEngine, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.request = request
        self.engine = engine
        state = Locked(State(onEvent: onEvent))
    }

    /// Collects the chunks in a task that inherits from the current one (contract rule INHERIT), then sends them.
    func begin(with chunks: TransferChunks, in spool: BodySpool) {
        // No server is silent meanwhile.
        request.turn?.waitsForDisk()
        let work = Task { await send(chunks, in: spool) }
        state.withLock { $0.work = work }
    }

    private func send(_ chunks: TransferChunks, in spool: BodySpool) async {
        let url = request.urlRequest.url
        var collected = request
        do {
            collected.body = try await spool.body(of: chunks)
            try request.turn?.leavesDisk()
        } catch let error as TransferError {
            return receive(.failed(error.naming(url)))
        } catch {
            return receive(.failed(error))
        }
        let mustSend = state.withLock { state in
            state.isSent = !state.relay.isCancelled
            return state.isSent
        }
        guard mustSend else { return }
        let receiver = TransferReceiver(url: url) { [self] event in receive(event) }
        attach(engine.start(collected) { receiver.receive($0) })
    }

    private func receive(_ event: TransferEvent) {
        guard event.isTerminal else {
            state.withLock { $0.onEvent }?(event)
            return
        }
        let (onEvent, handle) = state.withLock { ($0.onEvent.take(), $0.relay.end()) }
        withExtendedLifetime(handle) {}
        onEvent?(event)
    }

    // MARK: From outside

    func cancel(because error: any Error) {
        let (work, onEvent) = state.withLock { state -> (Task<Void, Never>?, (@Sendable (TransferEvent) -> Void)?) in
            state.relay.cancel(because: error)
            return state.isSent ? (nil, nil) : (state.work.take(), state.onEvent.take())
        }
        apply()
        if let work { TaskCancellation.cancel(work) }
        // The sequence may not notice that (contract rule PROMPT). Not on the caller's thread, which may be the main
        // one.
        if let onEvent { DispatchQueue.global().async { onEvent(.failed(CancellationError())) } }
    }

    func withRelay<Output>(_ body: (inout HandleRelay) -> Output) -> Output { state.withLock { body(&$0.relay) } }
}
