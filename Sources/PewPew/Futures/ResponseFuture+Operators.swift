import PiuPiu

/// Futures made from this one.
///
/// Each sends this one when it is sent. It fails with this one's error, or with the error that the callback throws. The
/// callback runs on the main actor.
extension ResponseFuture {
    /// A future of the value that the callback returns.
    ///
    /// ```swift
    /// dispatcher.future(from: request).then { response in try response.decode(Post.self) }
    /// ```
    @preconcurrency
    public func then<U: Sendable>(
        _ callback: @escaping @MainActor (T) throws -> U
    ) -> ResponseFuture<U> {
        chained { value, child in child.core.settling(.success(try callback(value))) }
    }

    /// A future of the value of a second future, which the callback makes from this one's value.
    ///
    /// ```swift
    /// postFuture.replace { post in self.enrich(post) }
    /// ```
    @preconcurrency
    public func replace<U: Sendable>(
        _ callback: @escaping @MainActor (T) throws -> ResponseFuture<U>
    ) -> ResponseFuture<U> {
        chained { value, child in
            try callback(value).core.observing(for: child, .delivery) { child.core.settling($0) }
        }
    }

    /// A future of two values, in series: this one's, and that of a second future, which the callback makes from it.
    ///
    /// ```swift
    /// postFuture.join { post in self.fetchUser(forId: post.userId) }.response { post, user in … }
    /// ```
    @preconcurrency
    public func join<U: Sendable>(
        _ callback: @escaping @MainActor (T) throws -> ResponseFuture<U>
    ) -> ResponseFuture<(T, U)> {
        chained { value, child in
            try callback(value).core.observing(for: child, .delivery) { outcome in
                child.core.settling(outcome.map { (value, $0) })
            }
        }
    }

    /// A future of this one's value that also waits for a second future, if the callback returns one.
    ///
    /// ```swift
    /// postFuture.await { post in post.isDraft ? self.store(post) : nil }
    /// ```
    @preconcurrency
    public func `await`<U: Sendable>(
        _ callback: @escaping @MainActor (T) throws -> ResponseFuture<U>?
    ) -> ResponseFuture<T> {
        chained { value, child in
            guard let future = try callback(value) else { return child.core.settling(.success(value)) }
            return future.core.observing(for: child, .delivery) { outcome in
                child.core.settling(outcome.map { _ in value })
            }
        }
    }

    /// A future that sends this one; `settle` settles it after a success.
    private func chained<U: Sendable>(
        _ settle: @escaping @MainActor (T, ResponseFuture<U>) throws -> [RunStep]
    ) -> ResponseFuture<U> {
        // Only the core: a reference to this future would count as an owner that may settle it.
        ResponseFuture<U>(
            core: core.next { outcome, child in
                switch outcome {
                case .success(let value): [child.stepOnMain { try settle(value, child) }]
                case .error(let error): child.core.settling(.error(error))
                }
            })
    }
}
