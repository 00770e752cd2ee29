// Sound: of the task only `cancel()`, `escalatePriority(to:)` and its identity are used, which are as good from elsewhere
// as those of a `Task`; and the reference to it is a strong one, given up when the task has done its work or its wait.

/// A task as it knows itself, kept beyond the call that asked for it.
struct TaskReference: Equatable, @unchecked Sendable {
    private let task: UnsafeCurrentTask

    /// The task that calls this, if a task does.
    static var current: TaskReference? {
        withUnsafeCurrentTask { $0.map(TaskReference.init) }
    }

    func cancel() { task.cancel() }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func escalate(to priority: TaskPriority) { task.escalatePriority(to: priority) }
}
