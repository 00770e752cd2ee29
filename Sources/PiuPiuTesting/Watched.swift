import PiuPiu

/// A value behind a lock, with waiters. Each change checks their conditions, so that tests never wait for time to pass.
package final class Watched<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var value: Value
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state: Locked<State>

    package init(_ value: Value) {
        state = Locked(State(value: value))
    }

    /// Changes the value, then resumes, outside the lock, the waiters whose condition has come true.
    @discardableResult
    package func withLock<Output>(_ body: (inout Value) -> Output) -> Output {
        let (output, met) = state.withLock { state in
            let output = body(&state.value)
            let met = state.waiters.filter { $0.value.condition(state.value) }
            for id in met.keys { state.waiters[id] = nil }
            return (output, met.values)
        }
        for waiter in met { waiter.continuation.resume() }
        return output
    }

    /// Suspends until `condition` is true, or until the task is cancelled: so a time limit can end a wait that would
    /// never end by itself.
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    // A cancellation either comes before this check, or finds the waiter in place.
                    guard !condition(state.value), !Task.isCancelled else { return false }
                    state.waiters[id] = Waiter(condition: condition, continuation: continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}
