/// The meeting point of an awaiting task, an exchange and a cancellation: it resumes the continuation exactly once.
///
/// The first event counts, from any thread. The continuation is removed under the lock and resumed outside it.
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

    /// Stores the continuation. If the task was cancelled before, it resumes it and returns `false`: then nothing may
    /// be sent.
    func begin(_ continuation: CheckedContinuation<Output, any Error>) -> Bool {
        let mayStart = state.withLock { state in
            guard case .idle = state.stage else { return false }
            state.stage = .waiting(continuation)
            return true
        }
        if !mayStart { continuation.resume(throwing: CancellationError()) }
        return mayStart
    }

    /// Stores the handle of the exchange, and cancels it if a cancellation came in between.
    func attach(_ handle: any TransferHandle) {
        let mustCancel = state.withLock { state in
            // After the settlement the handle isn't stored: it would retain the engine as long as the caller's task.
            if case .waiting = state.stage { state.handle = handle }
            return state.isCancelled
        }
        if mustCancel { handle.cancel() }
    }

    /// The exchange is over.
    func settle(with outcome: Result<Output, any Error>) {
        let (continuation, handle) = take()
        continuation?.resume(with: outcome)
        // Released outside the lock: its deinit belongs to the engine, and may report another event.
        withExtendedLifetime(handle) {}
    }

    /// The awaiting task was cancelled. The exchange itself then ends promptly with a `CancellationError`, and reports
    /// no update afterwards.
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
