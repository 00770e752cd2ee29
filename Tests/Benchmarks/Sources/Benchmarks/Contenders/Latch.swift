import Synchronization

/// Lets all who wait go on as soon as a given number of them waits.
final class Latch: Sendable {
    private struct State {
        var missing: Int
        var awaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(missing: count))
    }

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
