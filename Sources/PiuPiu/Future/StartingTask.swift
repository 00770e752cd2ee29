// Sound: of the current task only `cancel()` is used, which is as good from elsewhere as that of a `Task`; and the
// reference to it is a strong one, given up when the task is known by its handle or has done its work.

/// A task in its first part, which runs before whoever started it has a handle for it.
final class StartingTask: @unchecked Sendable {
    private let task: UnsafeCurrentTask

    private init(_ task: UnsafeCurrentTask) {
        self.task = task
    }

    /// The task that calls this.
    static var current: StartingTask? {
        withUnsafeCurrentTask { $0.map(StartingTask.init) }
    }

    func cancel() {
        task.cancel()
    }
}
