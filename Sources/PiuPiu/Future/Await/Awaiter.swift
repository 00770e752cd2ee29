/// A task that is suspended until a future settles, behind one reference.
///
/// The size of a `CheckedContinuation` is not known to the compiler, and so that of nothing which contains one: the
/// state of a future would be copied field by field at run time.
final class Awaiter: Sendable {
    private let continuation: CheckedContinuation<FutureRun.Outcome, Never>
    /// The task that waits.
    let task: TaskReference?
    /// The future for whose sake it waits, if it is the work of one.
    let child: FutureRun?

    init(_ continuation: CheckedContinuation<FutureRun.Outcome, Never>, child: FutureRun?) {
        self.continuation = continuation
        task = .current
        self.child = child
    }

    func resume(returning outcome: FutureRun.Outcome) {
        continuation.resume(returning: outcome)
    }
}
