/// Transforms that may suspend.
///
/// Otherwise they are like their synchronous twins: a closure that contains an `await` selects these. The closure runs
/// once, in the task of the chain (contract rules ONCE and INHERIT). Cancelling the chain cancels that task and ends
/// the chain at once, whether or not the closure notices (PROMPT).
extension ResponseFuture {
    /// Transforms the value with an `async` closure, in the background.
    ///
    /// ```swift
    /// let image = photo.then { photo in try await renderer.render(photo) }
    /// ```
    ///
    /// An error that the closure throws fails the chain. After a failure or a cancellation of this future the closure
    /// doesn't run. Updates of futures that it awaits are not passed on: return such a future from `flatMap` instead. A
    /// future that this closure returns is a value like any other, and is not started.
    ///
    /// swift-nio: `flatMapWithEventLoop` and `makeFutureWithTask`; PromiseKit: `then`.
    ///
    /// - Parameter transform: makes the new value.
    @inlinable
    public func then<Output>(
        _ transform: @escaping @Sendable (Success) async throws -> Output
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(parent: self) { (link: AnyResponseFuture, _: FutureRun) async throws in
            let value = try ResponseFuture<Success>.value(ofSettledParentOf: link)
            return TypedFutureValue(try await transform(value))
        }
    }

    /// The same as the form without a type, with the type of the new value named.
    ///
    /// - Parameters:
    ///   - type: the type of the new value.
    ///   - transform: makes the new value; an error that it throws fails the chain.
    @inlinable
    public func then<Output>(
        _ type: Output.Type, _ transform: @escaping @Sendable (Success) async throws -> Output
    ) -> ResponseFuture<Output> {
        then(transform)
    }

    /// Transforms the value with an `async` closure on the main actor.
    ///
    /// - Parameters:
    ///   - type: the type of the new value; may be omitted.
    ///   - token: always `.main`.
    ///   - transform: makes the new value; an error that it throws fails the chain. It does not run if the chain has
    ///     been cancelled by the time it gets there.
    public func then<Output>(
        _ type: Output.Type = Output.self, on token: MainActorToken,
        _ transform: @escaping @MainActor (Success) async throws -> Output
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(parent: self) { (link: AnyResponseFuture, head: FutureRun) async throws in
            let value = try ResponseFuture<Success>.value(ofSettledParentOf: link)
            return TypedFutureValue(try await Self.transformOnMainActor(value, for: head, transform))
        }
    }

    /// Transforms the value with an `async` closure, in the background: the same as `then`.
    ///
    /// A future that the closure returns is not started: use `flatMap` for it.
    @inlinable
    public func map<Output>(
        _ type: Output.Type = Output.self, successCallback: @escaping @Sendable (Success) async throws -> Output
    ) -> ResponseFuture<Output> {
        then(successCallback)
    }

    /// Transforms the value with an `async` closure on the main actor: the same as `then(on: .main)`.
    public func map<Output>(
        _ type: Output.Type = Output.self, on token: MainActorToken,
        successCallback: @escaping @MainActor (Success) async throws -> Output
    ) -> ResponseFuture<Output> {
        then(type, on: token, successCallback)
    }

    @MainActor
    private static func transformOnMainActor<Output>(
        _ value: Success, for head: FutureRun, _ transform: @MainActor (Success) async throws -> Output
    ) async throws -> Output {
        try head.checkWork()
        return try await transform(value)
    }

    /// Transforms the result of the future, a value or an error, with an `async` closure in the background.
    ///
    /// A cancellation is neither: it cancels the chain without calling the closure. To handle it, too, use `recover`
    /// with ``RecoverableErrors/errorsAndCancellations``.
    ///
    /// - Parameters:
    ///   - type: the type of the new value; may be omitted.
    ///   - callback: makes the new value from a result; an error that it throws fails the chain. It runs once.
    public func thenResult<Output>(
        _ type: Output.Type = Output.self,
        callback: @escaping @Sendable (Result<Success, any Error>) async throws -> Output
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(parent: self) { (link: AnyResponseFuture, _: FutureRun) async throws in
            let result = try ResponseFuture<Success>.resultOfSettledParent(of: link)
            return TypedFutureValue(try await callback(result))
        }
    }

    /// Transforms the result of the future with an `async` closure on the main actor; otherwise the same as
    /// `thenResult(_:callback:)`.
    public func thenResult<Output>(
        _ type: Output.Type = Output.self, on token: MainActorToken,
        callback: @escaping @MainActor (Result<Success, any Error>) async throws -> Output
    ) -> ResponseFuture<Output> {
        safeResult().then(type, on: token, callback)
    }

    /// Continues with another future, which an `async` closure makes from the value in the background.
    ///
    /// ```swift
    /// let posts = user.flatMap { user in client.posts(of: user, with: try await vault.token()) }
    /// ```
    ///
    /// Both futures' updates are updates of the result. Cancelling the result cancels the future that was made, unless
    /// somebody else is interested in it.
    ///
    /// swift-nio: `flatMap`; PromiseKit: `then`; PiuPiu 1.x, on the main actor: `replace`.
    ///
    /// - Parameter transform: makes the next future; `nil` cancels the chain, and an error that it throws fails it.
    public func flatMap<Output>(
        _ transform: @escaping @Sendable (Success) async throws -> ResponseFuture<Output>?
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(parent: self) { (link: AnyResponseFuture, head: FutureRun) async throws in
            try await InnerFuture.value(of: Self.next(after: link, transform), for: head)
        }
    }

    /// The future that a closure makes. A function of its own, with whose end the value is released: a recursion would
    /// retain all its values otherwise.
    private static func next<Output>(
        after link: AnyResponseFuture, _ transform: @Sendable (Success) async throws -> ResponseFuture<Output>?
    ) async throws -> ResponseFuture<Output> {
        let value = try value(ofSettledParentOf: link)
        guard let next = try await transform(value) else { throw CancellationError() }
        return next
    }

    /// The same as the form without a type, with the type of the new value named, for a closure with `return nil`.
    ///
    /// - Parameters:
    ///   - type: the type of the new value.
    ///   - transform: makes the next future; `nil` cancels the chain, and an error that it throws fails it.
    public func flatMap<Output>(
        _ type: Output.Type, _ transform: @escaping @Sendable (Success) async throws -> ResponseFuture<Output>?
    ) -> ResponseFuture<Output> {
        flatMap(transform)
    }
}
