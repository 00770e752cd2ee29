/// The `async` side.
extension ResponseFuture {
    /// The value, as soon as it is there; starts the future if need be.
    ///
    /// ```swift
    /// let user = try await dispatcher.dataFuture(from: request).decoded(User.self).value
    /// ```
    ///
    /// Any number of tasks may await the same future; its work runs once. Awaiting does not touch the main actor
    /// unless the chain contains a callback that belongs there (contract rule NO-MAIN).
    ///
    /// Cancelling the awaiting task resumes it at once, and cancels the future if nobody else is interested in it
    /// (contract rules DOWN and SHARED).
    ///
    /// - Throws: what the future failed with; `CancellationError` if it, or the awaiting task, was cancelled.
    public nonisolated(nonsending) var value: Success {
        get async throws { try await outcome().get() }
    }

    /// The value, under its legacy name: the same as ``value``.
    ///
    /// - Throws: what the future failed with; `CancellationError` if it, or the awaiting task, was cancelled.
    public func fetchResult() async throws -> Success {
        try await outcome().get()
    }

    /// The value or the error, as soon as one is there; starts the future if need be. Otherwise like ``value``.
    ///
    /// A cancelled future, or awaiting task, gives a failure with `CancellationError`.
    public nonisolated(nonsending) var result: Result<Success, any Error> {
        get async {
            let outcome = await outcome()
            return Result { try outcome.get() }
        }
    }
}
