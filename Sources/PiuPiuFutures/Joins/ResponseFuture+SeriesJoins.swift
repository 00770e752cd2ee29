/// Joins in series: a second future is made from the value of the first, and the value is a tuple of both.
extension ResponseFuture {
    /// Waits for the value, makes another future from it on the main actor, and continues with both values.
    ///
    /// ```swift
    /// post.seriesJoin(User.self) { [weak self] post in self?.user(id: post.userId) }
    ///     .success { post, user in … }
    ///     .send()
    /// ```
    ///
    /// Both futures' updates are updates of the result. The second future is started on the main actor, so that a
    /// legacy action in it runs there. The same in the background is `flatJoin`.
    ///
    /// - Parameters:
    ///   - type: the type of the second value; needed for a closure with `return nil`.
    ///   - callback: makes the second future; `nil` cancels the chain, and an error that it throws fails it. It runs
    ///     once, on the main actor.
    @preconcurrency
    public func seriesJoin<Other>(
        _ type: Other.Type = Other.self,
        callback: @escaping @MainActor (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other)> {
        ResponseFuture<(Success, Other)>(parent: self) {
            (link: AnyResponseFuture, head: FutureRun) async throws in
            let value = try ResponseFuture<Success>.value(ofSettledParentOf: link)
            let other = try await InnerFuture.madeOnMainActor(for: head) { try callback(value) }
            return TypedFutureValue((value, try await other.value(for: head).value))
        }
    }

    /// Waits for the value, makes another future from it in the background, and continues with both values: the twin of
    /// ``seriesJoin(_:callback:)`` that doesn't use the main actor.
    ///
    /// - Parameter transform: makes the second future; `nil` cancels the chain, and an error that it throws fails it.
    @inlinable
    public func flatJoin<Other>(
        _ transform: @escaping @Sendable (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other)> {
        ResponseFuture<(Success, Other)>(
            parent: self,
            transform: { link, context in
                guard let value = try ResponseFuture<Success>.value(ofParentOf: link, in: &context) else { return nil }
                guard let other = try transform(value) else { throw CancellationError() }
                return try ResponseFuture<(Success, Other)>.goOn(with: consume other, in: link, &context) {
                    (value, $0)
                }
            })
    }

    /// The same as the form without a type, with the type of the second value named, for a closure with `return nil`.
    ///
    /// - Parameters:
    ///   - type: the type of the second value.
    ///   - transform: makes the second future; `nil` cancels the chain, and an error that it throws fails it.
    @inlinable
    public func flatJoin<Other>(
        _ type: Other.Type, _ transform: @escaping @Sendable (Success) throws -> ResponseFuture<Other>?
    ) -> ResponseFuture<(Success, Other)> {
        flatJoin(transform)
    }
}
