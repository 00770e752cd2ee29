import Synchronization

/// Lets all who wait go on as soon as a given number of them waits.
final class Latch: Sendable {
    private struct State {
        var missing: Int
        var awaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) {
        var state = State(missing: count)
        state.awaiters.reserveCapacity(count)
        self.state = Mutex(state)
    }

    /// How many more have to wait for all to go on.
    var missing: Int { state.withLock { $0.missing } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let awaiters = state.withLock { state in
                state.awaiters.append(continuation)
                state.missing -= 1
                return state.missing == 0 ? state.awaiters : []
            }
            for awaiter in awaiters { awaiter.resume() }
        }
    }
}
