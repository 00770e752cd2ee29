extension Dispatching {
    /// This dispatcher with hedging: it sends a second copy of a late request, and takes the first answer.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().hedged(after: .milliseconds(300))
    /// ```
    ///
    /// ``HedgePolicy`` has the rules. Copies of the result share one ``RetryBudget``.
    ///
    /// - Parameter delay: how long to wait for an answer; for example the 95th percentile of the response time.
    public func hedged(after delay: Duration) -> PolicyDispatcher<Self, HedgePolicy> {
        applying(HedgePolicy(after: delay))
    }

    /// This dispatcher with hedging: it sends copies of a late request.
    ///
    /// - Parameter policy: how many copies, of which requests, and after which delay.
    public func hedged(_ policy: HedgePolicy) -> PolicyDispatcher<Self, HedgePolicy> { applying(policy) }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher with hedging: it sends a second copy of a late request.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any DataDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher with hedging: it sends copies of a late request.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any DataDispatcher { applying(policy) }
}

extension DownloadDispatcher {
    /// This dispatcher with hedging, which changes nothing: a second copy of a download would write the same file.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any DownloadDispatcher { applying(HedgePolicy(after: delay)) }

    /// The same with a policy of your own.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any DownloadDispatcher { applying(policy) }
}

extension UploadDispatcher {
    /// This dispatcher with hedging: it sends a second copy of a late request.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any UploadDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher with hedging: it sends copies of a late request.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any UploadDispatcher { applying(policy) }
}

extension StreamDispatcher {
    /// This dispatcher with hedging: it sends a second copy of a late request.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any StreamDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher with hedging: it sends copies of a late request.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any StreamDispatcher { applying(policy) }
}

extension RequestDispatcher {
    /// This dispatcher with hedging: it sends a second copy of a late request.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any RequestDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher with hedging: it sends copies of a late request.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any RequestDispatcher { applying(policy) }
}
