extension Dispatching {
    /// This dispatcher, which sends a second copy of a request whose answer is late, and takes the answer that comes first.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().hedged(after: .milliseconds(300))
    /// ```
    ///
    /// By the rules of ``HedgePolicy``; the copies of the result share one ``RetryBudget``.
    ///
    /// - Parameter delay: how long an answer is waited for; what 95 of 100 requests take, say.
    public func hedged(after delay: Duration) -> PolicyDispatcher<Self, HedgePolicy> {
        applying(HedgePolicy(after: delay))
    }

    /// This dispatcher, which sends copies of a request whose answer is late.
    ///
    /// - Parameter policy: how many, of which requests, and after which delay.
    public func hedged(_ policy: HedgePolicy) -> PolicyDispatcher<Self, HedgePolicy> { applying(policy) }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher, which sends a second copy of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any DataDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher, which sends copies of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any DataDispatcher { applying(policy) }
}

extension DownloadDispatcher {
    /// This dispatcher, which sends a second copy of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any DownloadDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher, which sends copies of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any DownloadDispatcher { applying(policy) }
}

extension UploadDispatcher {
    /// This dispatcher, which sends a second copy of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any UploadDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher, which sends copies of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any UploadDispatcher { applying(policy) }
}

extension StreamDispatcher {
    /// This dispatcher, which sends a second copy of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any StreamDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher, which sends copies of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any StreamDispatcher { applying(policy) }
}

extension RequestDispatcher {
    /// This dispatcher, which sends a second copy of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(after delay: Duration) -> any RequestDispatcher { applying(HedgePolicy(after: delay)) }

    /// This dispatcher, which sends copies of a request whose answer is late.
    @_disfavoredOverload
    public func hedged(_ policy: HedgePolicy) -> any RequestDispatcher { applying(policy) }
}
