// Sound: only `cancel()`, `escalatePriority(to:)` and the identity of the task are used, which are as safe from outside
// it as those of a `Task`. The reference is a strong one, released when the task has done its work or its wait.

/// The current task, retained beyond the call that asked for it.
struct TaskReference: Equatable, @unchecked Sendable {
    private let task: UnsafeCurrentTask

    /// The current task, if there is one.
    static var current: TaskReference? {
        withUnsafeCurrentTask { $0.map(TaskReference.init) }
    }

    func cancel() { task.cancel() }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func escalate(to priority: TaskPriority) { task.escalatePriority(to: priority) }
}
