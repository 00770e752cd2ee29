public import Dispatch

/// Futures for code that takes completion handlers.
extension ResponseFuture {
    /// Starts the future and calls a completion handler with the outcome on the main actor.
    ///
    /// ```swift
    /// func load(_ id: Int, completion: @escaping @MainActor (Result<User, any Error>) -> Void) {
    ///     client.user(id).send(resultHandler: completion)
    /// }
    /// ```
    ///
    /// The handler is called exactly once, never inside this call. A cancellation is a failure with
    /// `CancellationError`; a `result` callback isn't called for one. The handler replaces nothing: attached callbacks
    /// still run, and each of several handlers is called. Like an ``onSuccess(_:)`` callback it gets the value,
    /// whatever others throw, unless an error that one has thrown has already replaced it; and a cancellation if
    /// ``AnyResponseFuture/cancel()`` comes before its call (contract rules THROW and AFTER-CANCEL).
    ///
    /// - Parameters:
    ///   - token: always `.main`.
    ///   - resultHandler: is called with the outcome.
    @preconcurrency
    public func send(
        on token: MainActorToken = .main,
        resultHandler: @escaping @MainActor (Result<Success, any Error>) -> Void
    ) {
        let handler = Locked<(@MainActor (Result<Success, any Error>) -> Void)?>(resultHandler)
        _ = onSuccess { @MainActor value in handler.withLock { $0.take() }?(.success(value)) }
        _ = onFailure { @MainActor error in handler.withLock { $0.take() }?(.failure(error)) }
        _ = onCancellation { @MainActor in handler.withLock { $0.take() }?(.failure(CancellationError())) }
        send()
    }

    /// Starts the future and calls a completion handler with the outcome on a dispatch queue.
    ///
    /// Task-local values don't follow a closure onto a queue. A cancellation that comes when the handler already waits
    /// on the queue changes nothing. Otherwise like ``send(on:resultHandler:)-(MainActorToken,_)``.
    ///
    /// - Parameters:
    ///   - queue: where the handler runs. For the main actor write `on: .main`, which types the closure for it.
    ///   - resultHandler: is called with the outcome.
    @_disfavoredOverload
    public func send(
        on queue: DispatchQueue, resultHandler: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) {
        let handler = Locked<(@Sendable (Result<Success, any Error>) -> Void)?>(resultHandler)
        // Until the handler has run, as for each other callback (contract rule RETAIN). A promise must not be retained:
        // its release tells that nobody will settle the future (NEVER-HANG).
        let owner = kind == .promise ? nil : self
        let complete: @Sendable (Result<Success, any Error>) -> Void = { result in
            guard let handler = handler.withLock({ $0.take() }) else { return }
            queue.async { withExtendedLifetime(owner) { handler(result) } }
        }
        _ = onSuccess { value in complete(.success(value)) }
        _ = onFailure { error in complete(.failure(error)) }
        _ = onCancellation { complete(.failure(CancellationError())) }
        send()
    }
}
