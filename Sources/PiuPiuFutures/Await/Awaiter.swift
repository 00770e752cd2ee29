/// A task that is suspended until a future settles, behind one reference.
///
/// The compiler doesn't know the size of a `CheckedContinuation`, nor of anything that contains one. Without this
/// reference the state of a future would be copied field by field at run time.
final class Awaiter: Sendable {
    private let continuation: CheckedContinuation<FutureRun.Outcome, Never>
    /// The task that waits.
    let task: TaskIdentity?
    /// The future whose work this task does, if any.
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
