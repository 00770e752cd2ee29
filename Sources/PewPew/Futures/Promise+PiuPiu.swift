public import PiuPiu

/// The way to the futures of PiuPiu.
extension Promise {
    /// A PiuPiu future of the value; a failure is thrown as a ``PromiseFailure``, or as it is if it is an `Error`.
    ///
    /// ```swift
    /// do {
    ///     let response = try await dispatcher.promise(from: request).piuPiuFuture().value
    /// } catch let failure as PromiseFailure<ErrorResponse<Data?>> {
    ///     show(failure.failure.statusCode)
    /// }
    /// ```
    ///
    /// It sends this promise when it is started, on the thread that starts it, or joins its run; if this one has ended
    /// it has the same outcome.
    public func piuPiuFuture() -> PiuPiu.ResponseFuture<T> {
        PiuPiu.ResponseFuture { [core] promise in
            _ = promise.onCancellation { core.cancelIfUnwanted() }
            core.observe { outcome in
                switch outcome {
                case .success(let value): promise.succeed(with: value)
                case .failure(let failure):
                    promise.fail(with: failure as? any Error ?? PromiseFailure(failure: failure))
                case .error(let error): promise.fail(with: error)
                }
            }
        }
    }

    /// The value, as soon as it is there; sends the promise if need be.
    ///
    /// - Throws: the promise's error; a failure, as ``piuPiuFuture()`` does; `CancellationError` if the awaiting task
    ///   was cancelled.
    public nonisolated(nonsending) var value: T {
        consuming get async throws {
            let future = piuPiuFuture()
            _ = consume self
            return try await future.value
        }
    }
}
