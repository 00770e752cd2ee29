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
    /// Each future is bound as by ``AnyResponseFuture/bound(to:)`` when it is made, also those of policies that are
    /// applied to this dispatcher. So is the body of a stream: its reader gets a `CancellationError`, as does that of
    /// an ``EventSource``; one of ``StreamedBody/bytes`` gets it after the rest of its chunk. Futures of a dispatcher
    /// whose scope was cancelled or released are cancelled at once and send nothing. Unlike `invalidateAndCancel()`,
    /// this doesn't affect the dispatcher below or its other futures.
    ///
    /// - Parameter scope: not retained by the dispatcher: retain it elsewhere.
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
