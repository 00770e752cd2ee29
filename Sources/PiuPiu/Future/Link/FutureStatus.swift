/// Where a future is in its life.
///
/// A future goes from ``created`` to ``started`` and from there, once and for all, to one of the three ends. A future
/// that is cancelled before it starts goes from ``created`` to ``cancelled``.
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

    /// Whether the future has come to its end.
    public var isComplete: Bool {
        switch self {
        case .created, .started: false
        case .success, .error, .cancelled: true
        }
    }
}
