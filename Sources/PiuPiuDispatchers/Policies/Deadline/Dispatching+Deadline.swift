extension Dispatching {
    /// This dispatcher with a deadline: its futures fail with ``DeadlineExceeded`` when they take longer in all.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().retrying().deadline(.seconds(5))
    /// ```
    ///
    /// For futures of all kinds, by the rules of ``DeadlinePolicy``. Applied last, it includes the attempts and waits
    /// of all policies; applied before a `retrying()`, it limits each attempt.
    ///
    /// - Parameters:
    ///   - limit: how long an exchange may take, from the start of its future to the end of its body.
    ///   - clock: measures the time.
    public func deadline(
        _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> PolicyDispatcher<Self, DeadlinePolicy> {
        applying(DeadlinePolicy(limit, clock: clock))
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher with a deadline: its futures fail with ``DeadlineExceeded`` when they take longer in all.
    @_disfavoredOverload
    public func deadline(
        _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> any DataDispatcher {
        applying(DeadlinePolicy(limit, clock: clock))
    }
}

extension DownloadDispatcher {
    /// This dispatcher with a deadline: its futures fail with ``DeadlineExceeded`` when they take longer in all.
    @_disfavoredOverload
    public func deadline(
        _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> any DownloadDispatcher {
        applying(DeadlinePolicy(limit, clock: clock))
    }
}

extension UploadDispatcher {
    /// This dispatcher with a deadline: its futures fail with ``DeadlineExceeded`` when they take longer in all.
    @_disfavoredOverload
    public func deadline(
        _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> any UploadDispatcher {
        applying(DeadlinePolicy(limit, clock: clock))
    }
}

extension StreamDispatcher {
    /// This dispatcher with a deadline: its futures fail with ``DeadlineExceeded`` when they take longer in all.
    @_disfavoredOverload
    public func deadline(
        _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> any StreamDispatcher {
        applying(DeadlinePolicy(limit, clock: clock))
    }
}

extension RequestDispatcher {
    /// This dispatcher with a deadline: its futures fail with ``DeadlineExceeded`` when they take longer in all.
    @_disfavoredOverload
    public func deadline(
        _ limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) -> any RequestDispatcher {
        applying(DeadlinePolicy(limit, clock: clock))
    }
}
