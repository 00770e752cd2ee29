import PiuPiu

/// Futures made from this one. Each sends this one when it is sent, and fails with its error, or with what the callback
/// throws, which runs on the main actor.
extension ResponseFuture {
    /// A future of what the callback makes of the value.
    ///
    /// ```swift
    /// dispatcher.future(from: request).then { response in try response.decode(Post.self) }
    /// ```
    @preconcurrency
    public func then<U: Sendable>(
        _ callback: @escaping @MainActor (T) throws -> U
    ) -> ResponseFuture<U> {
        chained { value, child in child.succeed(with: try callback(value)) }
    }

    /// A future of the value of the future that the callback makes of this one's.
    ///
    /// ```swift
    /// postFuture.replace { post in self.enrich(post) }
    /// ```
    @preconcurrency
    public func replace<U: Sendable>(
        _ callback: @escaping @MainActor (T) throws -> ResponseFuture<U>
    ) -> ResponseFuture<U> {
        chained { value, child in try callback(value).fulfill(child) }
    }

    /// A future of both values: this one's, and that of the future that the callback makes of it, in series.
    ///
    /// ```swift
    /// postFuture.join { post in self.fetchUser(forId: post.userId) }.response { post, user in … }
    /// ```
    @preconcurrency
    public func join<U: Sendable>(
        _ callback: @escaping @MainActor (T) throws -> ResponseFuture<U>
    ) -> ResponseFuture<(T, U)> {
        chained { value, child in
            try callback(value).observe(for: child) { child.succeed(with: (value, $0)) }
        }
    }

    /// A future of this one's value that waits for another one, which the callback makes of it; `nil` waits for none.
    ///
    /// ```swift
    /// postFuture.await { post in post.isDraft ? self.store(post) : nil }
    /// ```
    @preconcurrency
    public func `await`<U: Sendable>(
        _ callback: @escaping @MainActor (T) throws -> ResponseFuture<U>?
    ) -> ResponseFuture<T> {
        chained { value, child in
            guard let future = try callback(value) else { return child.succeed(with: value) }
            future.observe(for: child) { _ in child.succeed(with: value) }
        }
    }

    /// A future that sends this one, and is settled by what is done with the value.
    private func chained<U: Sendable>(
        _ settle: @escaping @MainActor (T, ResponseFuture<U>) throws -> Void
    ) -> ResponseFuture<U> {
        // The core alone, as a reference to this future would count as somebody who might settle it.
        ResponseFuture<U>(action: { [core] child in
            Self.observe(core, for: child) { value in
                MainContext.run {
                    do { try settle(value, child) } catch { child.fail(with: error) }
                }
            }
        })
    }

    /// Sends this future for another one, which fails if this one does.
    func observe<U: Sendable>(for child: ResponseFuture<U>, _ receive: @escaping @Sendable (T) -> Void) {
        Self.observe(core, for: child, receive)
    }

    private static func observe<U: Sendable>(
        _ core: Core, for child: ResponseFuture<U>, _ receive: @escaping @Sendable (T) -> Void
    ) {
        child.core.onCancel { core.cancelIfUnwanted() }
        core.observe(takesOver: true, orNew: { ResponseFuture(core: core) }) { outcome in
            switch outcome {
            case .success(let value): receive(value)
            case .error(let error): child.fail(with: error)
            }
        }
    }
}
