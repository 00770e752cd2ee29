public import PiuPiu

/// The way out: to a future of PiuPiu, and to `await`.
extension Promise {
    /// A future that ends as this promise ends.
    ///
    /// ```swift
    /// session.fetchData(from: url).future()
    ///     .success { data in self.show(data) }
    ///     .error { error in self.show(error) }
    ///     .send()
    /// ```
    ///
    /// It is cold, like every future: it waits for the promise from its start on, and holds it until then. Afterwards it
    /// does not: when the last reference to an unresolved promise goes, the future fails with
    /// `FutureError.abandoned(file:line:)`. An end with `CancellationError` or `URLError.cancelled` cancels it.
    /// Cancelling it stops the waiting; the promise itself can't be cancelled.
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
    /// Any number of tasks may await it. Cancelling one resumes that one at once, and harms nobody else. A promise that
    /// nobody resolves is awaited until the task is cancelled, or, where nobody else holds it (the awaiting code
    /// included), until it is gone.
    ///
    /// - Throws: what the promise ended with; `CancellationError` if the awaiting task was cancelled;
    ///   `FutureError.abandoned(file:line:)` if the promise is gone.
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
    // The future must not keep the promise: it would never learn that nobody can resolve it any more.
    weak let promise: Promise<Value>?
    let number: Int?

    func end() {
        if let number { promise?.detach(number) }
    }
}
