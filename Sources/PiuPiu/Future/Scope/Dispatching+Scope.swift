extension Dispatching {
    /// This dispatcher, whose futures are cancelled with a scope.
    ///
    /// ```swift
    /// final class Session: Sendable {
    ///     private let scope = FutureScope()
    ///     let dispatcher: any RequestDispatcher
    ///
    ///     init(_ dispatcher: any RequestDispatcher) {
    ///         self.dispatcher = dispatcher.bound(to: scope)
    ///     }
    ///
    ///     func signOut() { scope.cancel() }
    /// }
    /// ```
    ///
    /// Each future is bound as by ``AnyResponseFuture/bound(to:)`` when it is made, and for a stream its body too: who
    /// reads it gets a `CancellationError`. Futures of a dispatcher whose scope was cancelled, or is gone, are cancelled at
    /// once and send nothing. Unlike `invalidateAndCancel()` this leaves the dispatcher below as it was, with the futures of
    /// others.
    ///
    /// - Parameter scope: not kept by the dispatcher: hold it where it belongs.
    public func bound(to scope: FutureScope) -> PolicyDispatcher<Self, ScopePolicy> {
        applying(ScopePolicy(scope))
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher, whose futures are cancelled with a scope.
    @_disfavoredOverload
    public func bound(to scope: FutureScope) -> any DataDispatcher { applying(ScopePolicy(scope)) }
}

extension DownloadDispatcher {
    /// This dispatcher, whose futures are cancelled with a scope.
    @_disfavoredOverload
    public func bound(to scope: FutureScope) -> any DownloadDispatcher { applying(ScopePolicy(scope)) }
}

extension UploadDispatcher {
    /// This dispatcher, whose futures are cancelled with a scope.
    @_disfavoredOverload
    public func bound(to scope: FutureScope) -> any UploadDispatcher { applying(ScopePolicy(scope)) }
}

extension StreamDispatcher {
    /// This dispatcher, whose futures are cancelled with a scope.
    @_disfavoredOverload
    public func bound(to scope: FutureScope) -> any StreamDispatcher { applying(ScopePolicy(scope)) }
}

extension RequestDispatcher {
    /// This dispatcher, whose futures are cancelled with a scope.
    @_disfavoredOverload
    public func bound(to scope: FutureScope) -> any RequestDispatcher { applying(ScopePolicy(scope)) }
}
