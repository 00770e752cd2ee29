/// The meeting point of an exchange, its cancellation, and who waits for it: that is notified exactly once.
///
/// The first event counts, from any thread. It is independent of the outcome, whose type the runtime would look up
/// whenever the state is copied.
package struct TransferSettlement: Sendable {
    private enum Stage {
        case idle
        case cancelledEarly
        case waiting
        case settled
    }

    private struct State {
        var stage = Stage.idle
        var handle: (any TransferHandle)?
        var isCancelled = false
    }

    private let state = Locked(State())

    package init() {}

    /// The task awaits the exchange. If it was cancelled before, this returns `false`: then nothing may be sent.
    func begin() -> Bool {
        state.withLock { state in
            guard case .idle = state.stage else { return false }
            state.stage = .waiting
            return true
        }
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
    ///
    /// - Parameter resume: resumes the task; called only the first time, outside the lock.
    func settle(_ resume: () -> Void) {
        let (isFirst, handle) = take()
        if isFirst { resume() }
        // Released outside the lock: its deinit belongs to the engine, and may report another event.
        withExtendedLifetime(handle) {}
    }

    /// The awaiting task was cancelled. The exchange itself then ends promptly with a `CancellationError`, and reports
    /// no update afterwards.
    package func cancel() {
        let handle: (any TransferHandle)? = state.withLock { state in
            state.isCancelled = true
            if case .idle = state.stage { state.stage = .cancelledEarly }
            return state.handle
        }
        handle?.cancel()
    }

    private func take() -> (isFirst: Bool, handle: (any TransferHandle)?) {
        state.withLock { state in
            guard case .waiting = state.stage else { return (false, nil) }
            state.stage = .settled
            return (true, state.handle.take())
        }
    }
}
