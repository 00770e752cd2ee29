import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine that sends equal requests once: see ``TransferEngine/coalescing()``.
///
/// A ``SharedExchange`` is one in flight, for all callers that have joined it.
final class CoalescingEngine: AnsweringEngine, DecoratingEngine {
    private struct State {
        var shared: [CoalescingKey: SharedExchange] = [:]
        var isOver = false
    }

    let base: any TransferEngine
    private let state = Locked(State())
    /// Starts exchanges, and ends the engine after the exchanges that were enqueued before.
    private let queue = DispatchQueue(label: "PiuPiu.coalescing")

    init(_ base: any TransferEngine) {
        self.base = base
    }

    var settings: TransferSettings { base.settings }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        guard !state.withLock({ $0.isOver }) else { return refused(request, onEvent) }
        guard let key = CoalescingKey(request) else { return base.start(spooling: request, onEvent: onEvent) }
        let handle = state.withLock { state -> SharedHandle? in
            guard !state.isOver else { return nil }
            if let handle = state.shared[key]?.join(request, onEvent) { return handle }
            let exchange = SharedExchange(request, key: key, engine: self)
            let handle = exchange.join(request, onEvent)
            state.shared[key] = exchange
            // Enqueued under the lock, so that an end of the engine comes after it.
            queue.async { exchange.start() }
            return handle
        }
        guard let handle else { return refused(request, onEvent) }
        handle.begin()
        return handle
    }

    func answer(to request: TransferRequest) -> [TransferEvent]? {
        guard !state.withLock({ $0.isOver }) else { return nil }
        return (base as? any AnsweringEngine)?.answer(to: request)
    }

    func needsNoServer(for request: TransferRequest) -> Bool {
        (base as? any AnsweringEngine)?.needsNoServer(for: request) == true
    }

    private func refused(
        _ request: TransferRequest, _ onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        RefusedExchange(TransferError(.sessionInvalidated, url: request.urlRequest.url), onEvent: onEvent)
    }

    func finishTasksAndInvalidate() { end(.finishing) }

    func invalidateAndCancel() { end(.cancelling) }

    private func end(_ kind: EngineEnding.Kind) {
        state.withLock { $0.isOver = true }
        queue.async { [base] in base.invalidate(kind) }
    }

    /// From now on, no caller can join the exchange.
    func remove(_ exchange: SharedExchange, for key: CoalescingKey) {
        state.release { state in
            state.shared[key] === exchange ? state.shared.removeValue(forKey: key) : nil
        }
    }
}
