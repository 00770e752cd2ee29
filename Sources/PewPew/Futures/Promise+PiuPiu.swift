public import PiuPiu

/// The way to the futures of PiuPiu.
extension Promise {
    /// A PiuPiu future of the value. A failure is thrown unchanged if it is an `Error`, else as a ``PromiseFailure``.
    ///
    /// ```swift
    /// do {
    ///     let response = try await dispatcher.promise(from: request).piuPiuFuture().value
    /// } catch let failure as PromiseFailure<ErrorResponse<Data?>> {
    ///     show(failure.failure.statusCode)
    /// }
    /// ```
    ///
    /// Its start sends this promise on the calling thread, or joins its run. If this promise has ended, the future has
    /// the same outcome.
    public func piuPiuFuture() -> PiuPiu.ResponseFuture<T> {
        PiuPiu.ResponseFuture { [core] promise in
            core.observe(for: promise) { outcome in
                switch outcome {
                case .success(let value): promise.succeed(with: value)
                case .failure(let failure):
                    promise.fail(with: failure as? any Error ?? PromiseFailure(failure: failure))
                case .error(let error): promise.fail(with: error)
                }
            }
        }
    }

    /// The value, as soon as it is there; sends the promise if it isn't sent yet.
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
