/// The errors that a `recover` accepts, as the type that its closure takes.
struct Recovery<Failure: Error>: Sendable {
    private let includesCancellations: Bool
    private let match: @Sendable (any Error) -> Failure?

    /// Errors of one type.
    init(only type: Failure.Type) {
        includesCancellations = type == CancellationError.self
        match = { $0 as? Failure }
    }

    /// The value of the settled parent of `link`, or the error to recover from; throws every other error.
    func end<Value: Sendable>(ofSettledParentOf link: AnyResponseFuture) throws -> Result<Value, Failure> {
        try end(
            of: ResponseFuture<Value>.resultOfSettledParent(of: link, includesCancellations: includesCancellations))
    }

    /// The same; `nil` if the parent has not settled yet.
    func end<Value: Sendable>(
        ofParentOf link: AnyResponseFuture, in context: inout WorkContext
    ) throws -> Result<Value, Failure>? {
        let result = try ResponseFuture<Value>.resultOfParent(
            of: link, in: &context, includesCancellations: includesCancellations)
        return try result.map(end)
    }

    private func end<Value: Sendable>(of result: Result<Value, any Error>) throws -> Result<Value, Failure> {
        switch result {
        case .success(let value): return .success(value)
        case .failure(let error):
            guard let failure = match(error) else { throw error }
            return .failure(failure)
        }
    }
}

extension Recovery where Failure == any Error {
    init(from errors: RecoverableErrors) {
        includesCancellations = errors.includesCancellations
        match = { errors.contains($0) ? $0 : nil }
    }
}

/// The four ways to recover.
extension Recovery {
    func value<Value: Sendable>(
        of future: ResponseFuture<Value>, or recover: @escaping @Sendable (Failure) throws -> Value
    ) -> ResponseFuture<Value> {
        ResponseFuture(
            parent: future,
            transform: { link, context in
                guard let end: Result<Value, Failure> = try end(ofParentOf: link, in: &context) else { return nil }
                return try end.value(or: recover)
            })
    }

    func value<Value: Sendable>(
        of future: ResponseFuture<Value>, orAwait recover: @escaping @Sendable (Failure) async throws -> Value
    ) -> ResponseFuture<Value> {
        ResponseFuture(parent: future) { (link: AnyResponseFuture, _: FutureRun) async throws in
            switch try end(ofSettledParentOf: link) as Result<Value, Failure> {
            case .success(let value): TypedFutureValue(value)
            case .failure(let error): TypedFutureValue(try await recover(error))
            }
        }
    }

    func value<Value: Sendable>(
        of future: ResponseFuture<Value>, orOf recover: @escaping @Sendable (Failure) throws -> ResponseFuture<Value>
    ) -> ResponseFuture<Value> {
        ResponseFuture(
            parent: future,
            transform: { link, context in
                switch try end(ofParentOf: link, in: &context) as Result<Value, Failure>? {
                case nil: return nil
                case .success(let value): return value
                case .failure(let error):
                    let next = try recover(error)
                    return try ResponseFuture.goOn(with: consume next, in: link, &context)
                }
            })
    }

    func value<Value: Sendable>(
        of future: ResponseFuture<Value>,
        orAwaitOf recover: @escaping @Sendable (Failure) async throws -> ResponseFuture<Value>
    ) -> ResponseFuture<Value> {
        ResponseFuture(parent: future) { (link: AnyResponseFuture, head: FutureRun) async throws in
            let next: ResponseFuture<Value>
            switch try end(ofSettledParentOf: link) as Result<Value, Failure> {
            case .success(let value): return TypedFutureValue(value)
            case .failure(let error): next = try await recover(error)
            }
            // Outside the case, with whose end the error is released: a recursion would retain all its errors otherwise.
            return try await InnerFuture.value(of: consume next, for: head)
        }
    }
}

extension Result {
    fileprivate func value(or recover: (Failure) throws -> Success) throws -> Success {
        switch self {
        case .success(let value): value
        case .failure(let error): try recover(error)
        }
    }
}
