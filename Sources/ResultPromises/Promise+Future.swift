public import PiuPiu

/// The way to a future of PiuPiu, and to `await`.
extension Promise {
    /// A future with the outcome of this promise.
    ///
    /// ```swift
    /// session.fetchData(from: url).future()
    ///     .success { data in self.show(data) }
    ///     .error { error in self.show(error) }
    ///     .send()
    /// ```
    ///
    /// It is cold, like every future: it waits for the promise only after its start. It retains the promise until then,
    /// but not later: when the last reference to an unresolved promise is released, the future fails with
    /// `FutureError.abandoned(file:line:)`. A `CancellationError` or `URLError.cancelled` of the promise cancels the
    /// future. Cancelling the future ends its wait; the promise itself can't be cancelled.
    ///
    /// - Parameters:
    ///   - file: where the future is made, for the message of an error.
    ///   - line: where the future is made.
    public func future(file: String = #fileID, line: UInt = #line) -> ResponseFuture<Value> {
        .withResultHandler(file: file, line: line) { handler in
            let number = self.attach { result in
                handler(result.swiftResult)
                return nil
            }
            return Waiting(promise: self, number: number)
        } onCancel: { waiting in
            waiting.end()
        }
    }

    /// The value of the promise, as soon as it is there.
    ///
    /// ```swift
    /// let users: [User] = try await session.fetchRESTObject(from: url).value
    /// ```
    ///
    /// Any number of tasks may await it. Cancelling a task resumes it at once, and leaves the others alone. If nothing
    /// resolves the promise, the await lasts until the task is cancelled or the last reference to the promise is
    /// released. References of the awaiting code count, too.
    ///
    /// - Throws: the error of the promise; `CancellationError` if the awaiting task was cancelled;
    ///   `FutureError.abandoned(file:line:)` if the promise was released.
    public nonisolated(nonsending) var value: Value {
        consuming get async throws {
            let future = future()
            _ = consume self
            return try await future.value
        }
    }
}

/// A future that waits for a promise.
private struct Waiting<Value: Sendable>: Sendable {
    // The future must not retain the promise: it would never learn that nothing can resolve it any more.
    private(set) weak var promise: Promise<Value>?
    let number: Int?

    func end() {
        if let number { promise?.detach(number) }
    }
}
