/// Going on after an error.
///
/// The closure runs in the background, once, and only after an error that it is for; a value, and every other error,
/// passes by. What it throws fails the chain. A future that it makes is started then, and its updates are passed on.
///
/// A cancellation of the future passes by, too, unless it is asked for: by
/// ``RecoverableErrors/errorsAndCancellations``, or by `CancellationError.self` as the kind of error. When the chain itself
/// is cancelled, or everybody who awaited it is, the closure does not run, and what it has begun is cancelled.
///
/// PromiseKit: `recover` with its `CatchPolicy`; swift-nio: `recover`, `flatMapError` and `flatMapErrorThrowing`; PiuPiu
/// 1.x: a `thenResult` that switches over the result.
extension ResponseFuture {
    /// Turns errors into a value.
    ///
    /// ```swift
    /// let posts = client.posts().recover { _ in [] }
    /// ```
    ///
    /// - Parameters:
    ///   - errors: which; left out, every error, and no cancellation.
    ///   - transform: makes the value.
    public func recover(
        from errors: RecoverableErrors = .errors, _ transform: @escaping @Sendable (any Error) throws -> Success
    ) -> ResponseFuture<Success> {
        Recovery(from: errors).value(of: self, or: transform)
    }

    /// Turns errors into a value by an `async` closure.
    ///
    /// - Parameters:
    ///   - errors: which; left out, every error, and no cancellation.
    ///   - transform: makes the value.
    public func recover(
        from errors: RecoverableErrors = .errors,
        _ transform: @escaping @Sendable (any Error) async throws -> Success
    ) -> ResponseFuture<Success> {
        Recovery(from: errors).value(of: self, orAwait: transform)
    }

    // The forms that make futures are disfavoured: a closure that does nothing but throw fits all of them.

    /// Goes on with another future after an error.
    ///
    /// ```swift
    /// let page = mirror.page(7).recover { _ in origin.page(7) }
    /// ```
    ///
    /// - Parameters:
    ///   - errors: which; left out, every error, and no cancellation.
    ///   - transform: makes the other future.
    @_disfavoredOverload
    public func recover(
        from errors: RecoverableErrors = .errors,
        _ transform: @escaping @Sendable (any Error) throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        Recovery(from: errors).value(of: self, orOf: transform)
    }

    /// Goes on with another future, which an `async` closure makes, after an error.
    ///
    /// - Parameters:
    ///   - errors: which; left out, every error, and no cancellation.
    ///   - transform: makes the other future.
    @_disfavoredOverload
    public func recover(
        from errors: RecoverableErrors = .errors,
        _ transform: @escaping @Sendable (any Error) async throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        Recovery(from: errors).value(of: self, orAwaitOf: transform)
    }

    /// Turns errors of one kind into a value; others go on.
    ///
    /// ```swift
    /// let posts = client.posts().recover(only: TransferError.self) { error in cache.posts(after: error) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the kind of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the value.
    public func recover<Failure: Error>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) throws -> Success
    ) -> ResponseFuture<Success> {
        Recovery(only: type).value(of: self, or: transform)
    }

    /// Turns errors of one kind into a value by an `async` closure; others go on.
    ///
    /// - Parameters:
    ///   - type: the kind of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the value.
    public func recover<Failure: Error>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) async throws -> Success
    ) -> ResponseFuture<Success> {
        Recovery(only: type).value(of: self, orAwait: transform)
    }

    /// Goes on with another future after an error of one kind; others go on.
    ///
    /// - Parameters:
    ///   - type: the kind of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the other future.
    @_disfavoredOverload
    public func recover<Failure: Error>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        Recovery(only: type).value(of: self, orOf: transform)
    }

    /// Goes on with another future, which an `async` closure makes, after an error of one kind; others go on.
    ///
    /// - Parameters:
    ///   - type: the kind of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the other future.
    @_disfavoredOverload
    public func recover<Failure: Error>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) async throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        Recovery(only: type).value(of: self, orAwaitOf: transform)
    }

    /// Puts another error in the place of each.
    ///
    /// ```swift
    /// let posts = client.posts().mapError { error in BlogError.unavailable(error) }
    /// ```
    ///
    /// A cancellation passes by; an error that says that the work was cancelled (`CancellationError`,
    /// `URLError.cancelled`) cancels the chain.
    ///
    /// swift-nio: `flatMapErrorThrowing`; PromiseKit: `recover { throw … }`; `Result` and Combine: `mapError`.
    ///
    /// - Parameter transform: makes the other error; it runs once, in the background.
    public func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> ResponseFuture<Success> {
        Recovery(from: .errors).value(of: self, or: { throw transform($0) })
    }
}
