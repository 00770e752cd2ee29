import Synchronization

/// Resumes all awaiters as soon as a given number of them waits.
final class Latch: Sendable {
    private struct State {
        var missing: Int
        var awaiters: [CheckedContinuation<Void, Never>] = []
        /// The awaiter to resume when only one more is missing.
        var last: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(count: Int) {
        var state = State(missing: count)
        state.awaiters.reserveCapacity(count)
        self.state = Mutex(state)
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let awaiters = state.withLock { state in
                state.awaiters.append(continuation)
                state.missing -= 1
                if state.missing == 0 { return state.awaiters }
                return state.missing == 1 ? [state.last.take()].compactMap(\.self) : []
            }
            for awaiter in awaiters { awaiter.resume() }
        }
    }

    /// Waits until all but one wait.
    func waitForOthers() async {
        await withCheckedContinuation { continuation in
            let isLast = state.withLock { state in
                if state.missing > 1 { state.last = continuation }
                return state.missing <= 1
            }
            if isLast { continuation.resume() }
        }
    }
}
