/// Conversions between the two result types.
extension Result {
    /// Makes a result from one of Swift's.
    ///
    /// ```swift
    /// promise.resolve(state: Result(answer))
    /// ```
    public init<Failure: Error>(_ result: Swift.Result<T, Failure>) {
        switch result {
        case .success(let value): self = .success(value: value)
        case .failure(let error): self = .failure(error: error)
        }
    }

    /// The same as a result of Swift.
    public var swiftResult: Swift.Result<T, any Error> {
        switch self {
        case .success(let value): .success(value)
        case .failure(let error): .failure(error)
        }
    }
}

extension Swift.Result where Failure == any Error {
    /// Makes a result from one of ResultPromises 0.1.
    ///
    /// ```swift
    /// promise.onComplete { result in completion(Swift.Result(result)) }
    /// ```
    public init(_ result: ResultPromises.Result<Success>) {
        self = result.swiftResult
    }
}
