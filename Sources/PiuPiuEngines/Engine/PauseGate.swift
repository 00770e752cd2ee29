/// Suspends one task while it is closed; a cancelled task passes.
package struct PauseGate: Sendable {
    private enum State {
        case open
        case closed
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Locked(State.open)

    package init() {}

    /// Suspends until the gate is open or the task is cancelled.
    package func pass() async {
        let isOpen = state.withLock { state in
            if case .open = state { true } else { false }
        }
        guard !isOpen else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayPass = state.withLock { state in
                    // A cancellation either comes before this check, or finds the continuation in place.
                    guard case .closed = state, !Task.isCancelled else { return true }
                    state = .waiting(continuation)
                    return false
                }
                if mayPass { continuation.resume() }
            }
        } onCancel: {
            release(into: .closed)
        }
    }

    package func close() {
        state.withLock { state in
            if case .open = state { state = .closed }
        }
    }

    package func open() {
        release(into: .open)
    }

    private func release(into next: State) {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            defer { state = next }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiter?.resume()
    }
}
