// Sound: of the current task only `cancel()`, `escalatePriority(to:)` and its identity are used, which are as good from
// elsewhere as those of a `Task`; and the reference to it is a strong one, given up when the task has done its work.

/// The task that works for a future: known by its handle, or, in its own first part, by itself.
enum WorkTask: @unchecked Sendable {
    case handle(Task<Void, Never>)
    case itself(UnsafeCurrentTask)

    /// The task that calls this, if a task does.
    static var current: WorkTask? {
        withUnsafeCurrentTask { $0.map(WorkTask.itself) }
    }

    func cancel() {
        switch self {
        case .handle(let task): task.cancel()
        case .itself(let task): task.cancel()
        }
    }

    /// Raises the priority, where the system can (contract rule ESCALATE).
    func escalate(to priority: TaskPriority) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        switch self {
        case .handle(let task): task.escalatePriority(to: priority)
        case .itself(let task): task.escalatePriority(to: priority)
        }
    }

    /// Whether both are known to be one task.
    static func isSame(_ one: WorkTask, _ other: WorkTask) -> Bool {
        if case .itself(let one) = one, case .itself(let other) = other { one == other } else { false }
    }
}
