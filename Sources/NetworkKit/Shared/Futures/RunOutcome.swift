/// What a run of a future or a promise ends with. A future has no failures: its `Failure` is `Never`.
enum RunOutcome<Value: Sendable, Failure: Sendable>: Sendable {
    case success(Value)
    case failure(Failure)
    case error(any Error)
}
