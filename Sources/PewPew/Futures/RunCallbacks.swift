/// The callbacks of a future or a promise, one of each kind; they run on the main actor.
struct RunCallbacks<Value: Sendable, Failure: Sendable>: Sendable {
    var success: (@MainActor (Value) throws -> Void)?
    var failure: (@MainActor (Failure) throws -> Void)?
    var error: (@MainActor (any Error) -> Void)?
    var completion: (@MainActor () -> Void)?
    /// Sees the outcome before the others, even if an operator replaces them.
    var inspection: (@MainActor (RunOutcome<Value, Failure>) -> Void)?

    var isEmpty: Bool {
        success == nil && failure == nil && error == nil && completion == nil && inspection == nil
    }

    /// Drops the callbacks that an operator replaces: those that get an outcome.
    mutating func dropOutcomeCallbacks() {
        success = nil
        failure = nil
        error = nil
    }
}
