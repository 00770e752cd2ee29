/// What works for a future: a task, by its handle or by a reference that the task itself has registered, or what calls
/// back when the work has ended.
enum WorkTask: CancellableWork {
    case handle(Task<Void, Never>)
    case itself(CurrentTask)
    case callback(any AnyObject & CancellableWork)

    func cancel() {
        switch self {
        case .handle(let task): task.cancel()
        case .itself(let task): task.reference.cancel()
        case .callback(let work): work.cancel()
        }
    }

    /// Raises the priority, where the system can (contract rule ESCALATE).
    func escalate(to priority: TaskPriority) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        switch self {
        case .handle(let task): task.escalatePriority(to: priority)
        case .itself(let task): task.reference.escalate(to: priority)
        case .callback: break
        }
    }
}

/// The task that made this, behind one reference. The compiler doesn't know the size of a ``TaskReference``, so
/// anything that contains one would be copied field by field at run time.
final class CurrentTask: Sendable {
    let reference: TaskReference

    init?() {
        guard let reference = TaskReference.current else { return nil }
        self.reference = reference
    }
}
