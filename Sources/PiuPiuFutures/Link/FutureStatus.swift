/// The state of a future.
///
/// A future goes from ``created`` to ``started``, and from there once to one of the three final states. A future that
/// is cancelled before it starts goes from ``created`` to ``cancelled``.
public enum FutureStatus: Sendable, Hashable {
    /// Nothing has run yet (contract rule COLD).
    case created
    /// The work is running.
    case started
    /// The future has a value.
    case success
    /// The future, or its `success` callback (contract rule THROW), failed.
    case error
    /// The future was cancelled.
    case cancelled

    /// Whether the state is final.
    public var isComplete: Bool {
        switch self {
        case .created, .started: false
        case .success, .error, .cancelled: true
        }
    }
}
