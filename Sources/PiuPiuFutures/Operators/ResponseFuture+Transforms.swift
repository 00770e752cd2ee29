public import Dispatch

/// Transforms of the value.
///
/// A transform is a link of the chain: in a started chain it runs at most once (contract rule ONCE), after the value
/// has arrived, unless the chain has been cancelled by then. An error that it throws fails the chain. By default it
/// runs in the background (contract rule BACKGROUND), so its closure is `@Sendable`.
extension ResponseFuture {
    // No deprecated overload warns of a closure that returns a future: with one the compiler tries all combinations of
    // overloads in a chain, and gives up on one of a dozen links.

    /// Transforms the value in the background.
    ///
    /// ```swift
    /// let name = user.then { user in user.name }
    /// ```
    ///
    /// A future that the closure returns is a value like any other, and is not started: use `flatMap` for it.
    ///
    /// - Parameter transform: makes the new value; an error that it throws fails the chain.
    @inlinable @inline(__always)
    public consuming func then<Output>(
        _ transform: @escaping @Sendable (Success) throws -> Output
    ) -> ResponseFuture<Output> {
        var parent = consume self
        if let future = ResponseFuture<Success>.adding(transform, to: &parent) { return future }
        return ResponseFuture<Output>(
            parent: consume parent, transformCount: 1,
            transform: { link, context in
                guard let value = try ResponseFuture<Success>.value(ofParentOf: link, in: &context) else { return nil }
                return try transform(value)
            })
    }

    // A separate form: with a default for the type, a closure in parentheses would be taken for the type.

    /// The same as the form without a type, with the type of the new value named for compiler and reader.
    ///
    /// - Parameters:
    ///   - type: the type of the new value.
    ///   - transform: makes the new value; an error that it throws fails the chain.
    @inlinable
    public consuming func then<Output>(
        _ type: Output.Type, _ transform: @escaping @Sendable (Success) throws -> Output
    ) -> ResponseFuture<Output> {
        then(transform)
    }

    /// Transforms the value on a dispatch queue.
    ///
    /// Task-local values don't follow a closure onto a queue.
    ///
    /// - Parameters:
    ///   - type: the type of the new value; may be omitted.
    ///   - queue: where the transform runs. For the main actor write `on: .main`, which types the closure for it.
    ///   - transform: makes the new value; an error that it throws fails the chain.
    @_disfavoredOverload
    public func then<Output>(
        _ type: Output.Type = Output.self, on queue: DispatchQueue,
        _ transform: @escaping @Sendable (Success) throws -> Output
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(parent: self) { (link: AnyResponseFuture, head: FutureRun) async throws in
            let value = try ResponseFuture<Success>.value(ofSettledParentOf: link)
            return TypedFutureValue(try await QueuedTransform(value, for: head, transform).run(on: queue))
        }
    }

    /// Transforms the value on the main actor.
    ///
    /// - Parameters:
    ///   - type: the type of the new value; may be omitted.
    ///   - token: always `.main`.
    ///   - transform: makes the new value; an error that it throws fails the chain.
    public func then<Output>(
        _ type: Output.Type = Output.self, on token: MainActorToken,
        _ transform: @escaping @MainActor (Success) throws -> Output
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(parent: self) { (link: AnyResponseFuture, head: FutureRun) async throws in
            let value = try ResponseFuture<Success>.value(ofSettledParentOf: link)
            return TypedFutureValue(try await ResponseFuture<Success>.onMainActor(for: head) { try transform(value) })
        }
    }

    /// Transforms the value in the background: the same as `then`.
    ///
    /// A future that the closure returns is not started: use `flatMap` for it.
    @inlinable
    public consuming func map<Output>(
        _ type: Output.Type = Output.self, successCallback: @escaping @Sendable (Success) throws -> Output
    ) -> ResponseFuture<Output> {
        then(successCallback)
    }

    /// Transforms the value on a dispatch queue: the same as `then(on: queue)`.
    @_disfavoredOverload
    public func map<Output>(
        _ type: Output.Type = Output.self, on queue: DispatchQueue,
        successCallback: @escaping @Sendable (Success) throws -> Output
    ) -> ResponseFuture<Output> {
        then(type, on: queue, successCallback)
    }

    /// Transforms the value on the main actor: the same as `then(on: .main)`.
    public func map<Output>(
        _ type: Output.Type = Output.self, on token: MainActorToken,
        successCallback: @escaping @MainActor (Success) throws -> Output
    ) -> ResponseFuture<Output> {
        then(type, on: token, successCallback)
    }

    /// Transforms the result of the future, a value or an error, in the background.
    ///
    /// The callback runs once, also if it throws; its error fails the chain. A cancellation is neither a value nor an
    /// error: it cancels the chain without calling the callback.
    ///
    /// - Parameters:
    ///   - type: the type of the new value; may be omitted.
    ///   - callback: makes the new value from a result; an error that it throws fails the chain.
    public func thenResult<Output>(
        _ type: Output.Type = Output.self,
        callback: @escaping @Sendable (Result<Success, any Error>) throws -> Output
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(
            parent: self,
            transform: { link, context in
                try ResponseFuture<Success>.resultOfParent(of: link, in: &context).map(callback)
            })
    }

    /// Transforms the result of the future on a dispatch queue; otherwise the same as `thenResult(_:callback:)`.
    ///
    /// For the main actor write `on: .main`, which types the closure for it.
    @_disfavoredOverload
    public func thenResult<Output>(
        _ type: Output.Type = Output.self, on queue: DispatchQueue,
        callback: @escaping @Sendable (Result<Success, any Error>) throws -> Output
    ) -> ResponseFuture<Output> {
        safeResult().then(type, on: queue, callback)
    }

    /// Transforms the result of the future on the main actor; otherwise the same as `thenResult(_:callback:)`.
    public func thenResult<Output>(
        _ type: Output.Type = Output.self, on token: MainActorToken,
        callback: @escaping @MainActor (Result<Success, any Error>) throws -> Output
    ) -> ResponseFuture<Output> {
        safeResult().then(type, on: token, callback)
    }

    /// Turns an error into a value, so that it doesn't fail what comes after.
    ///
    /// A cancellation still cancels the chain.
    public func safeResult() -> ResponseFuture<Result<Success, any Error>> {
        thenResult { $0 }
    }

    /// The value or the error of the parent; `nil` if it isn't available yet. Throws only if the chain is cancelled.
    ///
    /// - Parameter includesCancellations: whether the cancellation of the parent, but not of the chain, is a failure
    ///   with `CancellationError`, too.
    static func resultOfParent(
        of link: AnyResponseFuture, in context: inout WorkContext, includesCancellations: Bool = false
    ) throws -> Result<Success, any Error>? {
        do {
            return try value(ofParentOf: link, in: &context).map { .success($0) }
        } catch  where includesCancellations || !error.isCancellation {
            try context.checkWork()
            return .failure(error.isCancellation ? CancellationError() : error)
        }
    }

    /// The same for a parent that has settled.
    static func resultOfSettledParent(
        of link: AnyResponseFuture, includesCancellations: Bool = false
    ) throws -> Result<Success, any Error> {
        var context = WorkContext()
        let result = try resultOfParent(of: link, in: &context, includesCancellations: includesCancellations)
        guard let result else { throw CancellationError() }
        return result
    }

    /// Runs a callback that belongs on the main actor, unless the chain of `head` has been cancelled by the time it gets
    /// there.
    static func onMainActor<Output: Sendable>(
        for head: FutureRun, _ body: @MainActor () throws -> Output
    ) async throws -> Output {
        try await MainActor.run {
            try head.checkWork()
            return try body()
        }
    }
}
