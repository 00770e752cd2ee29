/// The state of a future.
///
/// A future goes from ``created`` to ``started``, and from there to one of the three final states. One that ends before
/// it is started goes there from ``created``: it is cancelled, or settled by its promise
/// (``ResponseFuture/pending(file:line:)``).
///
/// A final state tells how the callbacks end, too, so it may change into another one: into ``error`` or ``cancelled``
/// when a success callback throws (contract rule THROW), and into ``cancelled`` when the future is cancelled before
/// its callbacks have been called (AFTER-CANCEL). ``ResponseFuture/settledResult`` never changes.
public enum FutureStatus: Sendable, Hashable {
    /// Nothing has started the future (contract rule COLD). What is to settle its promise may be running all the same,
    /// such as another future that fulfills it.
    case created
    /// The future has been started, and has not ended.
    case started
    /// The future has a value.
    case success
    /// The future, or a success callback (contract rule THROW), failed.
    case error
    /// The future was cancelled.
    case cancelled

    /// Whether the state is final: the future has ended, and its ``ResponseFuture/settledResult`` never changes.
    public var isComplete: Bool {
        switch self {
        case .created, .started: false
        case .success, .error, .cancelled: true
        }
    }
}
