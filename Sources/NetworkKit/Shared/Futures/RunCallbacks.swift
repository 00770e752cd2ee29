/// The callbacks of a future or a promise, one of each kind.
struct RunCallbacks<Value: Sendable, Failure: Sendable>: Sendable {
    var success: (@Sendable (Value) throws -> Void)?
    var failure: (@Sendable (Failure) throws -> Void)?
    var error: (@Sendable (any Error) -> Void)?
    var completion: (@Sendable () -> Void)?

    /// Forgets what an operator takes over: everything but the completion.
    mutating func dropOutcomeCallbacks() {
        success = nil
        failure = nil
        error = nil
    }
}
