/// Joins in series whose second future is made by an `async` closure, in the background.
///
/// Otherwise they are like their synchronous twins: a closure that contains an `await` selects these.
extension ResponseFuture {
    /// Waits for the value, makes another future from it with an `async` closure, and continues with both values.
    ///
    /// ```swift
    /// let both = post.flatJoin { post in client.user(post.userId, with: try await vault.token()) }
    /// ```
    ///
    /// Both futures' updates are updates of the result. Cancelling the result cancels the closure's task and the future
    /// that was made, unless somebody else is interested in it.
    ///
    /// - Parameter transform: makes the second future; `nil` cancels the chain, and an error that it throws fails it.
    ///   It runs once, in the task of the chain.
    public func flatJoin<Other>(
        _ transform: @escaping @Sendable (Success) async throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other)> {
        ResponseFuture<(Success, Other)>(parent: self) { (link: AnyResponseFuture, head: FutureRun) async throws in
            let value = try ResponseFuture<Success>.value(ofSettledParentOf: link)
            guard let other = try await transform(value) else { throw CancellationError() }
            return TypedFutureValue((value, try await InnerFuture.value(of: consume other, for: head).value))
        }
    }

    /// The same as the form without a type, with the type of the second value named, for a closure with `return nil`.
    ///
    /// - Parameters:
    ///   - type: the type of the second value.
    ///   - transform: makes the second future; `nil` cancels the chain, and an error that it throws fails it.
    public func flatJoin<Other>(
        _ type: Other.Type, _ transform: @escaping @Sendable (Success) async throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other)> {
        flatJoin(transform)
    }

    /// Like the `async` form of `flatJoin`, but the second future may be omitted.
    ///
    /// - Parameters:
    ///   - type: the type of the second value.
    ///   - transform: makes the second future; with `nil`, the second value is `nil`. An error that it throws fails the
    ///     chain.
    public func flatNullableJoin<Other>(
        _ type: Other.Type = Other.self,
        _ transform: @escaping @Sendable (Success) async throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other?)> {
        flatJoin(Other?.self) { value in
            try await transform(value)?.then { $0 } ?? ResponseFuture<Other?>(result: nil)
        }
    }

    /// Like the `async` form of `flatJoin`, but a failure of the second future is a value.
    ///
    /// - Parameters:
    ///   - type: the type of the second value.
    ///   - transform: makes the second future; `nil` cancels the chain, and an error that it throws fails it.
    public func safeFlatJoin<Other>(
        _ type: Other.Type = Other.self,
        _ transform: @escaping @Sendable (Success) async throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Result<Other, any Error>)> {
        flatJoin { try await transform($0)?.safeResult() }
    }

    /// Like the `async` form of `flatNullableJoin`, but a failure of the second future is a value.
    ///
    /// - Parameters:
    ///   - type: the type of the second value.
    ///   - transform: makes the second future; with `nil`, the second value is `nil`. An error that it throws fails the
    ///     chain.
    public func safeFlatNullableJoin<Other>(
        _ type: Other.Type = Other.self,
        _ transform: @escaping @Sendable (Success) async throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Result<Other, any Error>?)> {
        flatNullableJoin { try await transform($0)?.safeResult() }
    }
}
