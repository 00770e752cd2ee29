import Dispatch

/// Cancels the tasks of a user's client, which may have handlers of the cancellation that block: `Task.cancel()` runs
/// them on the calling thread.
///
/// A caller who cancels an exchange waits for them, so that nothing is sent afterwards. Where a time limit ends it,
/// nothing may wait: neither the outcome (contract rules PROMPT and D2), nor other exchanges, whose limits the thread
/// checks, too.
package enum TaskCancellation {
    /// 1 on a thread that doesn't wait.
    private static let key = ThreadKey()

    /// Runs `body` so that it doesn't wait for what clients do about cancellations.
    package static func apart(_ body: () -> Void) {
        let outer = key.number
        key.number = 1
        defer { key.number = outer }
        body()
    }

    /// Cancels a task: here, or from inside ``apart(_:)`` on another thread.
    static func cancel(_ task: Task<Void, Never>) {
        guard key.number != 0 else { return task.cancel() }
        DispatchQueue.global(qos: .userInitiated).async { task.cancel() }
    }
}
