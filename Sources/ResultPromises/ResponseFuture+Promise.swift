public import PiuPiu

extension ResponseFuture {
    /// Starts the future, and returns a promise with its outcome.
    ///
    /// ```swift
    /// dispatcher.dataFuture(from: request).decoded(User.self).promise()
    ///     .onSuccess { response in self.show(response.data) }
    /// ```
    ///
    /// The promise is resolved in the background: its handlers run on the queue on which they are attached, and the
    /// mappers of `then` in the background. A cancellation is an error: `CancellationError`. The future runs on even if
    /// the promise is released.
    public func promise() -> Promise<Success> {
        let promise = Promise<Success>()
        _ = onSuccess { value in promise.resolve(result: value) }
        _ = onFailure { error in promise.resolve(error: error) }
        _ = onCancellation { promise.resolve(error: CancellationError()) }
        send()
        return promise
    }
}
