/// Names a task as long as it exists, and retains nothing.
struct TaskIdentity: Equatable, Sendable {
    /// A hash of the task's reference: two of 64 bits are equal by chance once in 10¹⁹ comparisons.
    private let hash: Int

    init(_ task: UnsafeCurrentTask) { hash = task.hashValue }

    /// The current task, if there is one.
    static var current: TaskIdentity? { withUnsafeCurrentTask { $0.map(TaskIdentity.init) } }
}
