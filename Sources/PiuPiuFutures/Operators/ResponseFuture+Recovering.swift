/// Recovering from errors.
///
/// The closure runs in the background, once, and only after an error that matches; a value and every other error are
/// passed on. An error that the closure throws fails the chain. A future that it returns is started, and its updates
/// are passed on.
///
/// A cancellation of the future is passed on, too, unless it is asked for: by
/// ``RecoverableErrors/errorsAndCancellations``, or by `CancellationError.self` as the type of error. When the chain
/// itself or all of its awaiters are cancelled, the closure does not run, and the work that it has begun is cancelled.
///
/// PromiseKit: `recover` with its `CatchPolicy`; swift-nio: `recover`, `flatMapError` and `flatMapErrorThrowing`;
/// PiuPiu 1.x: a `thenResult` that switches over the result.
extension ResponseFuture {
    /// Turns errors into a value.
    ///
    /// ```swift
    /// let posts = client.posts().recover { _ in [] }
    /// ```
    ///
    /// - Parameters:
    ///   - errors: which errors; by default every error, and no cancellation.
    ///   - transform: makes the value.
    public func recover(
        from errors: RecoverableErrors = .errors, _ transform: @escaping @Sendable (any Error) throws -> Success
    ) -> ResponseFuture<Success> {
        Recovery(from: errors).value(of: self, or: transform)
    }

    /// Turns errors into a value with an `async` closure.
    ///
    /// - Parameters:
    ///   - errors: which errors; by default every error, and no cancellation.
    ///   - transform: makes the value.
    public func recover(
        from errors: RecoverableErrors = .errors,
        _ transform: @escaping @Sendable (any Error) async throws -> Success
    ) -> ResponseFuture<Success> {
        Recovery(from: errors).value(of: self, orAwait: transform)
    }

    // The forms that make futures are disfavoured: a closure that does nothing but throw fits all of them.

    /// Continues with another future after an error.
    ///
    /// ```swift
    /// let page = mirror.page(7).recover { _ in origin.page(7) }
    /// ```
    ///
    /// - Parameters:
    ///   - errors: which errors; by default every error, and no cancellation.
    ///   - transform: makes the other future.
    @_disfavoredOverload
    public func recover(
        from errors: RecoverableErrors = .errors,
        _ transform: @escaping @Sendable (any Error) throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        Recovery(from: errors).value(of: self, orOf: transform)
    }

    /// Continues with another future, made by an `async` closure, after an error.
    ///
    /// - Parameters:
    ///   - errors: which errors; by default every error, and no cancellation.
    ///   - transform: makes the other future.
    @_disfavoredOverload
    public func recover(
        from errors: RecoverableErrors = .errors,
        _ transform: @escaping @Sendable (any Error) async throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        Recovery(from: errors).value(of: self, orAwaitOf: transform)
    }

    /// Turns errors of one type into a value; others are passed on.
    ///
    /// ```swift
    /// let posts = client.posts().recover(only: TransferError.self) { error in cache.posts(after: error) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the value.
    public func recover<Failure: Error>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) throws -> Success
    ) -> ResponseFuture<Success> {
        Recovery(only: type).value(of: self, or: transform)
    }

    /// Turns errors of one type into a value with an `async` closure; others are passed on.
    ///
    /// - Parameters:
    ///   - type: the type of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the value.
    public func recover<Failure: Error>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) async throws -> Success
    ) -> ResponseFuture<Success> {
        Recovery(only: type).value(of: self, orAwait: transform)
    }

    /// Continues with another future after an error of one type; others are passed on.
    ///
    /// - Parameters:
    ///   - type: the type of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the other future.
    @_disfavoredOverload
    public func recover<Failure: Error>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        Recovery(only: type).value(of: self, orOf: transform)
    }

    /// Continues with another future, made by an `async` closure, after an error of one type; others are passed on.
    ///
    /// - Parameters:
    ///   - type: the type of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the other future.
    @_disfavoredOverload
    public func recover<Failure: Error>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) async throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        Recovery(only: type).value(of: self, orAwaitOf: transform)
    }

    /// Replaces each error by another one.
    ///
    /// ```swift
    /// let posts = client.posts().mapError { error in BlogError.unavailable(error) }
    /// ```
    ///
    /// A cancellation is passed on. If the new error means a cancellation (`CancellationError`, `URLError.cancelled`,
    /// `CocoaError.userCancelled`), it cancels the chain.
    ///
    /// swift-nio: `flatMapErrorThrowing`; PromiseKit: `recover { throw … }`; `Result` and Combine: `mapError`.
    ///
    /// - Parameter transform: makes the other error; it runs once, in the background.
    public func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> ResponseFuture<Success> {
        Recovery(from: .errors).value(of: self, or: { throw transform($0) })
    }
}

// A closure that is one expression fits the forms that make a value of `Void`, too, which would drop the future that it
// returns. So these aren't disfavoured. They are generic, so that a closure that does nothing but throw fits none.

/// Recovering where there is no value to make.
extension ResponseFuture where Success == Void {
    /// Continues with another future after an error; its value doesn't matter.
    ///
    /// ```swift
    /// let saved = cloud.save().recover { _ in disk.save() }
    /// ```
    ///
    /// - Parameters:
    ///   - errors: which errors; by default every error, and no cancellation.
    ///   - transform: makes the other future.
    public func recover<Other>(
        from errors: RecoverableErrors = .errors,
        _ transform: @escaping @Sendable (any Error) throws -> ResponseFuture<Other>
    ) -> ResponseFuture<Void> {
        Recovery(from: errors).value(of: self, orOf: { error in try transform(error).withoutValue() })
    }

    /// Continues with another future, made by an `async` closure, after an error; its value doesn't matter.
    ///
    /// - Parameters:
    ///   - errors: which errors; by default every error, and no cancellation.
    ///   - transform: makes the other future.
    public func recover<Other>(
        from errors: RecoverableErrors = .errors,
        _ transform: @escaping @Sendable (any Error) async throws -> ResponseFuture<Other>
    ) -> ResponseFuture<Void> {
        Recovery(from: errors).value(of: self, orAwaitOf: { error in try await transform(error).withoutValue() })
    }

    /// Continues with another future, whose value doesn't matter, after an error of one type; others are passed on.
    ///
    /// - Parameters:
    ///   - type: the type of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the other future.
    public func recover<Failure: Error, Other>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) throws -> ResponseFuture<Other>
    ) -> ResponseFuture<Void> {
        Recovery(only: type).value(of: self, orOf: { error in try transform(error).withoutValue() })
    }

    /// Continues with another future, made by an `async` closure and whose value doesn't matter, after an error of one
    /// type; others are passed on.
    ///
    /// - Parameters:
    ///   - type: the type of error; with `CancellationError.self` the cancellation of this future.
    ///   - transform: makes the other future.
    public func recover<Failure: Error, Other>(
        only type: Failure.Type, _ transform: @escaping @Sendable (Failure) async throws -> ResponseFuture<Other>
    ) -> ResponseFuture<Void> {
        Recovery(only: type).value(of: self, orAwaitOf: { error in try await transform(error).withoutValue() })
    }
}

extension ResponseFuture {
    /// This future without its value; the same one if it has none, so that an endless recursion through `recover` adds
    /// no link for each step.
    fileprivate consuming func withoutValue() -> ResponseFuture<Void> {
        let future = consume self
        return future as? ResponseFuture<Void> ?? future.then { _ in }
    }
}
