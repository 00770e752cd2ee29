// Sound: only `cancel()`, `escalatePriority(to:)` and the identity of the task are used, which are as safe from outside
// it as those of a `Task`. The reference is a strong one, released when the task has done its work. Only the tasks that
// work for futures are retained, which this package has made: a child task of an `async let` is a part of its parent's
// memory, so a reference retains nothing.

/// The current task, retained beyond the call that asked for it: one that works for a future.
struct TaskReference: @unchecked Sendable {
    private let task: UnsafeCurrentTask

    /// The current task, if there is one.
    static var current: TaskReference? {
        withUnsafeCurrentTask { $0.map(TaskReference.init) }
    }

    /// Names the task as long as it exists.
    var identity: TaskIdentity { TaskIdentity(task) }

    func cancel() { task.cancel() }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func escalate(to priority: TaskPriority) { task.escalatePriority(to: priority) }
}
