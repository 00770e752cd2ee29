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
        chained { value, child, run in child.core.settling(.success(try callback(value)), ofRun: run) }
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
        chained { value, child, run in
            try callback(value).core.observing(for: child, inRun: run, .delivery) { child.core.settling($0, ofRun: $1) }
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
        chained { value, child, run in
            try callback(value).core.observing(for: child, inRun: run, .delivery) { outcome, _ in
                child.core.settling(outcome.map { (value, $0) }, ofRun: run)
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
        chained { value, child, run in
            guard let future = try callback(value) else { return child.core.settling(.success(value), ofRun: run) }
            return future.core.observing(for: child, inRun: run, .delivery) { outcome, _ in
                child.core.settling(outcome.map { _ in value }, ofRun: run)
            }
        }
    }

    /// A future that sends this one; `settle` settles its run, whose number it gets, after a success.
    private func chained<U: Sendable>(
        _ settle: @escaping @MainActor (T, ResponseFuture<U>, Int) throws -> [RunStep]
    ) -> ResponseFuture<U> {
        // Only the core: a reference to this future would count as an owner that may settle it.
        ResponseFuture<U>(
            core: core.next { outcome, child, run in
                switch outcome {
                case .success(let value): [child.stepOnMain(inRun: run) { try settle(value, child, run) }]
                case .error(let error): child.core.settling(.error(error), ofRun: run)
                }
            })
    }
}
