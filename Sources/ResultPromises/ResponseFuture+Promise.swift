public import PiuPiu

extension ResponseFuture {
    /// Starts the future, and gives a promise that ends as it ends.
    ///
    /// ```swift
    /// dispatcher.dataFuture(from: request).decoded(User.self).promise()
    ///     .onSuccess { response in self.show(response.data) }
    /// ```
    ///
    /// The promise is resolved in the background, so its handlers run on the queue that they are attached on, and mappers of
    /// `then` in the background. A cancellation is an error: `CancellationError`. The future runs on whether or not
    /// anybody keeps the promise.
    public func promise() -> Promise<Success> {
        let promise = Promise<Success>()
        _ = onSuccess { value in promise.resolve(result: value) }
        _ = onFailure { error in promise.resolve(error: error) }
        _ = onCancellation { promise.resolve(error: CancellationError()) }
        send()
        return promise
    }
}
