/// The exchanges that an ``AsyncTransferEngine`` has under way, so that they can be cancelled and no more be taken in.
///
/// ```swift
/// let exchanges = RunningExchanges()
/// ```
///
/// Each engine has its own; copies are one and the same.
public struct RunningExchanges: Sendable {
    private struct State {
        var isInvalid = false
        var lastID = 0
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// Makes a list without exchanges.
    public init() {}

    /// Runs an exchange in a task of its own; `nil` when no more are taken in.
    func launch(_ exchange: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            guard !state.isInvalid else { return nil }
            state.lastID += 1
            let id = state.lastID
            // Made under the lock, so that it is on the list before it can be taken off.
            let task = Task {
                await exchange()
                self.state.release { $0.tasks.removeValue(forKey: id) }
            }
            state.tasks[id] = task
            return task
        }
    }

    func refuseMore() {
        state.withLock { $0.isInvalid = true }
    }

    func cancelAll() {
        let tasks = state.withLock { state in
            state.isInvalid = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }
}
