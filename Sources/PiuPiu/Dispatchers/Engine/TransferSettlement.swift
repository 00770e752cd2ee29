/// Where an awaiting task, an exchange and a cancellation meet: resumes the continuation exactly once.
///
/// Whatever happens first counts, from any thread. The continuation is taken out under the lock and resumed outside.
struct TransferSettlement<Output: Sendable>: Sendable {
    private enum Stage {
        case idle
        case cancelledEarly
        case waiting(CheckedContinuation<Output, any Error>)
        case settled
    }

    private struct State {
        var stage = Stage.idle
        var handle: (any TransferHandle)?
        var isCancelled = false
    }

    private let state = Locked(State())

    /// Hands over the continuation. Returns `false`, and has resumed it, when the task was cancelled before: nothing
    /// may be sent then.
    func begin(_ continuation: CheckedContinuation<Output, any Error>) -> Bool {
        let mayStart = state.withLock { state in
            guard case .idle = state.stage else { return false }
            state.stage = .waiting(continuation)
            return true
        }
        if !mayStart { continuation.resume(throwing: CancellationError()) }
        return mayStart
    }

    /// Hands over what cancels the exchange, and does so if a cancellation came in between.
    func attach(_ handle: any TransferHandle) {
        let mustCancel = state.withLock { state in
            // A settled exchange's handle is not kept: it would keep the engine alive as long as the caller's task.
            if case .waiting = state.stage { state.handle = handle }
            return state.isCancelled
        }
        if mustCancel { handle.cancel() }
    }

    /// The exchange is over.
    func settle(with outcome: Result<Output, any Error>) {
        let (continuation, handle) = take()
        continuation?.resume(with: outcome)
        // Released outside the lock: its deinit is the engine's business, and may report another event.
        withExtendedLifetime(handle) {}
    }

    /// The awaiting task was cancelled. The exchange itself then ends with a `CancellationError`, promptly, and so
    /// that no update is reported afterwards.
    func cancel() {
        let handle: (any TransferHandle)? = state.withLock { state in
            state.isCancelled = true
            if case .idle = state.stage { state.stage = .cancelledEarly }
            return state.handle
        }
        handle?.cancel()
    }

    private func take() -> (CheckedContinuation<Output, any Error>?, (any TransferHandle)?) {
        state.withLock { state in
            guard case .waiting(let continuation) = state.stage else { return (nil, nil) }
            state.stage = .settled
            return (continuation, state.handle.take())
        }
    }
}
