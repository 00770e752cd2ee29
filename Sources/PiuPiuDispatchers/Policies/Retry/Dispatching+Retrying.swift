extension Dispatching {
    /// This dispatcher with retries: it sends a request again after a transient failure.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().retrying()
    /// let posts = try await dispatcher.dataFuture(from: request).validated().decoded([Post].self).value
    /// ```
    ///
    /// For futures of all kinds, by the rules of ``RetryPolicy``; copies of the result share one ``RetryBudget``. It is
    /// for requests; to retry the future of a closure, use ``ResponseFuture/retry(_:on:delays:clock:_:)``.
    ///
    /// - Parameter policy: how often to retry, after which outcomes, and after which waits.
    public func retrying(_ policy: RetryPolicy = .standard) -> PolicyDispatcher<Self, RetryPolicy> {
        applying(policy)
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher with retries: it sends a request again after a transient failure.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any DataDispatcher { applying(policy) }
}

extension DownloadDispatcher {
    /// This dispatcher with retries: it sends a request again after a transient failure.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any DownloadDispatcher { applying(policy) }
}

extension UploadDispatcher {
    /// This dispatcher with retries: it sends a request again after a transient failure.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any UploadDispatcher { applying(policy) }
}

extension StreamDispatcher {
    /// This dispatcher with retries: it sends a request again after a transient failure.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any StreamDispatcher { applying(policy) }
}

extension RequestDispatcher {
    /// This dispatcher with retries: it sends a request again after a transient failure.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any RequestDispatcher { applying(policy) }
}
