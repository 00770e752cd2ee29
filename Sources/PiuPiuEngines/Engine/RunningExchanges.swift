/// The exchanges of an ``AsyncTransferEngine`` in flight: the list to cancel them and to refuse new ones.
///
/// ```swift
/// let exchanges = RunningExchanges()
/// ```
///
/// Each engine has its own list; copies share it.
public struct RunningExchanges: Sendable {
    private struct State {
        var isInvalid = false
        var lastID = 0
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// Makes a list without exchanges.
    public init() {}

    /// Runs an exchange in its own task; `nil` when new ones are refused.
    func launch(_ exchange: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            guard !state.isInvalid else { return nil }
            state.lastID += 1
            let id = state.lastID
            // Created under the lock, so that it is on the list before it can be removed.
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
        for task in tasks { TaskCancellation.cancel(task) }
    }
}
