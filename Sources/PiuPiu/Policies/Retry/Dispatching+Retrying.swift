extension Dispatching {
    /// This dispatcher, which sends a request again after a failure that may pass.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().retrying()
    /// let posts = try await dispatcher.dataFuture(from: request).validated().decoded([Post].self).value
    /// ```
    ///
    /// For futures of all kinds, by the rules of ``RetryPolicy``; the copies of the result share one ``RetryBudget``. It is
    /// for requests; to try again whatever a closure makes, there is ``ResponseFuture/retry(_:on:delays:clock:_:)``.
    ///
    /// - Parameter policy: how often, after what, and after which waits.
    public func retrying(_ policy: RetryPolicy = .standard) -> PolicyDispatcher<Self, RetryPolicy> {
        applying(policy)
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher, which sends a request again after a failure that may pass.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any DataDispatcher { applying(policy) }
}

extension DownloadDispatcher {
    /// This dispatcher, which sends a request again after a failure that may pass.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any DownloadDispatcher { applying(policy) }
}

extension UploadDispatcher {
    /// This dispatcher, which sends a request again after a failure that may pass.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any UploadDispatcher { applying(policy) }
}

extension StreamDispatcher {
    /// This dispatcher, which sends a request again after a failure that may pass.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any StreamDispatcher { applying(policy) }
}

extension RequestDispatcher {
    /// This dispatcher, which sends a request again after a failure that may pass.
    @_disfavoredOverload
    public func retrying(_ policy: RetryPolicy = .standard) -> any RequestDispatcher { applying(policy) }
}
