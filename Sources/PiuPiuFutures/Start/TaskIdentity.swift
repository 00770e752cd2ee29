/// Names a task as long as it exists, and retains nothing. One word, as each future has one.
@usableFromInline
package struct TaskIdentity: Equatable, Sendable {
    /// The name of no task.
    static let none = TaskIdentity(hash: 0)

    /// A hash of the task's reference: two of 64 bits are equal by chance once in 10¹⁹ comparisons.
    private let hash: Int

    private init(hash: Int) { self.hash = hash }

    init(_ task: UnsafeCurrentTask) { hash = task.hashValue }

    /// The current task, if there is one.
    static var current: TaskIdentity? {
        // Sound: the task is used only within the closure.
        withUnsafeCurrentTask { $0.map { TaskIdentity($0) } }
    }
}
