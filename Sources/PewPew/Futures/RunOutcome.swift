/// The outcome of a run of a future or a promise. A future has no failures: its `Failure` is `Never`.
enum RunOutcome<Value: Sendable, Failure: Sendable>: Sendable {
    case success(Value)
    case failure(Failure)
    case error(any Error)
}

extension RunOutcome where Failure == Never {
    /// The outcome with another value.
    func map<Other: Sendable>(_ transform: (Value) -> Other) -> RunOutcome<Other, Never> {
        switch self {
        case .success(let value): .success(transform(value))
        case .error(let error): .error(error)
        }
    }
}
