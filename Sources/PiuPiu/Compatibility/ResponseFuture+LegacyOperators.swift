/// Operators in the spellings of PiuPiu 1.4 to 1.9.
extension ResponseFuture {
    /// The same as ``seriesJoin(_:callback:)``: makes another future from the value, and goes on with both values.
    @available(*, deprecated, renamed: "seriesJoin(callback:)")
    @preconcurrency
    public func join<Other>(
        _ callback: @escaping @MainActor (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other)> {
        seriesJoin(callback: callback)
    }

    /// The same as ``parallelJoin(_:callback:)``: runs another future beside this one, and goes on with both values.
    @available(*, deprecated, renamed: "parallelJoin(callback:)")
    public func join<Other>(_ callback: () -> ResponseFuture<Other>) -> ResponseFuture<(Success, Other)> {
        parallelJoin(callback: callback)
    }

    // Disfavoured: a trailing closure means today's method.

    /// The same as ``replace(_:callback:)``: goes on with another future, made from the value on the main actor.
    @available(*, deprecated, renamed: "replace(callback:)")
    @_disfavoredOverload
    @preconcurrency
    public func replace<Output>(
        _ callback: @escaping @MainActor (Success) throws -> ResponseFuture<Output>?
    ) -> ResponseFuture<Output> {
        replace(Output.self, callback: callback)
    }

    /// Transforms the value or the error in the background: `thenResult` with the result in two parts, one of them
    /// `nil`.
    ///
    /// The callback runs once, even if it throws; not after a cancellation.
    @available(*, deprecated, message: "Use thenResult, whose callback takes a Result.")
    @preconcurrency
    public func thenError<Output>(
        _ callback: @escaping @Sendable (Success?, (any Error)?) throws -> Output
    ) -> ResponseFuture<Output> {
        thenResult { result in
            switch result {
            case .success(let value): try callback(value, nil)
            case .failure(let error): try callback(nil, error)
            }
        }
    }

    /// The same with the type of PiuPiu 1.5 to 1.9.
    @available(*, deprecated, message: "Use thenResult, whose callback takes a Result.")
    @preconcurrency
    public func thenError<Output>(
        _ callback: @escaping @Sendable (SafeResponse<Success>) throws -> Output
    ) -> ResponseFuture<Output> {
        thenResult { result in try callback(SafeResponse(result)) }
    }

    /// Turns an error into a value, so that it doesn't fail the chain: ``safeResult()`` in two parts, one of them
    /// `nil`.
    ///
    /// A cancellation still cancels the chain.
    @available(*, deprecated, message: "Use safeResult(), which gives a Result.")
    public func nonFailing() -> ResponseFuture<(success: Success?, failure: (any Error)?)> {
        thenResult { result in
            switch result {
            case .success(let value): (success: value, failure: nil)
            case .failure(let error): (success: nil, failure: error)
            }
        }
    }

    /// The same with the type of PiuPiu 1.5 to 1.9.
    @available(*, deprecated, message: "Use safeResult(), which gives a Result.")
    @_disfavoredOverload
    public func nonFailing() -> ResponseFuture<SafeResponse<Success>> {
        thenResult { result in SafeResponse(result) }
    }
}

@available(*, deprecated)
extension SafeResponse {
    fileprivate init(_ result: Result<T, any Error>) {
        switch result {
        case .success(let value): self = .response(value)
        case .failure(let error): self = .error(error)
        }
    }
}
