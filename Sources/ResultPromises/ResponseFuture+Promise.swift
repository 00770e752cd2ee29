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
        let promise = Promise<Success>(), unresolved = Locked<Promise<Success>?>(promise)
        // After the value there may come an error that another callback has thrown, or a cancellation.
        _ = onSuccess { value in unresolved.withLock { $0.take() }?.resolve(result: value) }
        _ = onFailure { error in unresolved.withLock { $0.take() }?.resolve(error: error) }
        _ = onCancellation { unresolved.withLock { $0.take() }?.resolve(error: CancellationError()) }
        send()
        return promise
    }
}
