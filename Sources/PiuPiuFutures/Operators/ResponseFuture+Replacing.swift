/// Operators whose callback makes another future.
extension ResponseFuture {
    /// Continues with another future, made from the value on the main actor.
    ///
    /// ```swift
    /// user.replace([Post].self) { [weak self] user in self?.posts(of: user) }
    /// ```
    ///
    /// Both futures' updates are updates of the result. The next future is started on the main actor, so that a legacy
    /// action in it runs there. The same in the background is `flatMap`.
    ///
    /// - Parameters:
    ///   - type: the type of the new value; needed for a closure with `return nil`.
    ///   - callback: makes the next future; `nil` cancels the chain, and an error that it throws fails it. It runs
    ///     once, on the main actor.
    @preconcurrency
    public func replace<Output>(
        _ type: Output.Type = Output.self,
        callback: @escaping @MainActor (Success) throws -> ResponseFuture<Output>?
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(parent: self) { (link: AnyResponseFuture, head: FutureRun) async throws in
            try await Self.next(after: link, for: head, callback).value(for: head)
        }
    }

    /// Makes and starts the next future. A function of its own, with whose end the value is released: a recursion would
    /// retain all its values otherwise.
    private static func next<Output>(
        after link: AnyResponseFuture, for head: FutureRun,
        _ callback: @MainActor (Success) throws -> ResponseFuture<Output>?
    ) async throws -> InnerFuture<Output> {
        let value = try value(ofSettledParentOf: link)
        return try await InnerFuture.madeOnMainActor(for: head) { try callback(value) }
    }

    /// Continues with another future, made from the value in the background: the twin of ``replace(_:callback:)`` that
    /// doesn't use the main actor.
    ///
    /// - Parameter transform: makes the next future; `nil` cancels the chain, and an error that it throws fails it.
    @inlinable
    public func flatMap<Output>(
        _ transform: @escaping @Sendable (Success) throws -> ResponseFuture<Output>?
    ) -> ResponseFuture<Output> {
        ResponseFuture<Output>(
            parent: self,
            transform: { link, context in
                guard let value = try ResponseFuture<Success>.value(ofParentOf: link, in: &context) else { return nil }
                guard let next = try transform(value) else { throw CancellationError() }
                return try ResponseFuture<Output>.goOn(with: consume next, in: link, &context)
            })
    }

    /// The same as the form without a type, with the type of the new value named, for a closure with `return nil`.
    ///
    /// - Parameters:
    ///   - type: the type of the new value.
    ///   - transform: makes the next future; `nil` cancels the chain, and an error that it throws fails it.
    @inlinable
    public func flatMap<Output>(
        _ type: Output.Type, _ transform: @escaping @Sendable (Success) throws -> ResponseFuture<Output>?
    ) -> ResponseFuture<Output> {
        flatMap(transform)
    }

    /// Starts this future and settles `future` with its outcome: value, error or cancellation.
    ///
    /// ```swift
    /// ResponseFuture<User> { future in
    ///     cache.user(id: 7).fulfill(future)
    /// }
    /// ```
    ///
    /// Updates are passed on. Of several futures that fulfill one, the first to end counts, and the others are
    /// cancelled. If `future` has ended already, nothing is started. A future can't fulfill itself: it fails with
    /// ``FutureError/waitsForItself``. Cancelling `future` cancels this one, unless somebody else is interested in it.
    public func fulfill(_ future: ResponseFuture<Success>) {
        fulfill(future, keepsCallbacks: false)
    }

    /// A future that ends as this one does, whose callbacks stay, unlike below an operator. Its cancellation gives up
    /// one interest in this one, in which others may have theirs.
    package func relayed() -> ResponseFuture<Success> {
        ResponseFuture(action: { future in self.fulfill(future, keepsCallbacks: true) })
    }

    private func fulfill(_ future: ResponseFuture<Success>, keepsCallbacks: Bool) {
        let target = future.run
        guard run !== target else { return future.fail(with: FutureError.waitsForItself) }
        // One that has ended needs no other outcome: what this one was made from stays cold (contract rule EARLY).
        guard !target.status.isComplete else { return }
        // An action that only calls `fulfill` doesn't forget its future: the token retains it.
        guard let token = takeToken(.fulfilled(future), for: target, keepsCallbacks: keepsCallbacks) else {
            if let outcome = run.settledOutcome { future.settle(outcome.typed()) }
            return
        }
        future.disown()
        if token.mustLaunch { launch() }
    }
}
