/// Somebody who waits, behind one reference.
///
/// The size of a `CheckedContinuation` is not known to the compiler, and so that of nothing which contains one: the
/// state of a future would be copied field by field at run time.
@usableFromInline
final class Awaiter<Value: Sendable>: Sendable {
    private let continuation: CheckedContinuation<Value, Never>
    /// The task that waits.
    let task: WorkTask?

    init(_ continuation: CheckedContinuation<Value, Never>, of task: WorkTask?) {
        self.continuation = continuation
        self.task = task
    }

    func resume(returning value: Value) {
        continuation.resume(returning: value)
    }
}
