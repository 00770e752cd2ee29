/// The task that works for a future: known by its handle, or, in its own first part, by itself.
enum WorkTask: Sendable {
    case handle(Task<Void, Never>)
    case itself(CurrentTask)

    func cancel() {
        switch self {
        case .handle(let task): task.cancel()
        case .itself(let task): task.reference.cancel()
        }
    }

    /// Raises the priority, where the system can (contract rule ESCALATE).
    func escalate(to priority: TaskPriority) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        switch self {
        case .handle(let task): task.escalatePriority(to: priority)
        case .itself(let task): task.reference.escalatePriority(to: priority)
        }
    }

    /// Whether this is known to be the task that the other is.
    func isSame(as other: UnsafeCurrentTask) -> Bool {
        if case .itself(let task) = self { task.reference == other } else { false }
    }
}

// Sound: of the task only `cancel()`, `escalatePriority(to:)` and its identity are used, which are as good from elsewhere
// as those of a `Task`; and the reference to it is a strong one, given up when the task has done its work.

/// The task that made this.
///
/// Behind one reference, as an ``Awaiter`` is: the size of an `UnsafeCurrentTask` is not known to the compiler.
final class CurrentTask: @unchecked Sendable {
    fileprivate let reference: UnsafeCurrentTask

    private init(_ reference: UnsafeCurrentTask) {
        self.reference = reference
    }

    /// The task that calls this, if a task does.
    static var current: CurrentTask? {
        withUnsafeCurrentTask { $0.map(CurrentTask.init) }
    }
}
