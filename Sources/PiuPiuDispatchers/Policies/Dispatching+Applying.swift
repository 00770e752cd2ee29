extension Dispatching {
    /// This dispatcher with a policy on it.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().applying(Numbering())
    /// ```
    ///
    /// - Parameter policy: sees each exchange first, before the policies that were applied earlier.
    public func applying<Policy: DispatcherPolicy>(_ policy: Policy) -> PolicyDispatcher<Self, Policy> {
        PolicyDispatcher(self, policy: policy)
    }
}

// The same for a dispatcher whose type isn't known, such as an `any DataDispatcher`: the result has the same type.
// Disfavoured, because the form above has a more specific result.

extension DataDispatcher {
    /// This dispatcher with a policy on it.
    @_disfavoredOverload
    public func applying(_ policy: some DispatcherPolicy) -> any DataDispatcher {
        PolicyDispatcher(self, policy: policy)
    }
}

extension DownloadDispatcher {
    /// This dispatcher with a policy on it.
    @_disfavoredOverload
    public func applying(_ policy: some DispatcherPolicy) -> any DownloadDispatcher {
        PolicyDispatcher(self, policy: policy)
    }
}

extension UploadDispatcher {
    /// This dispatcher with a policy on it.
    @_disfavoredOverload
    public func applying(_ policy: some DispatcherPolicy) -> any UploadDispatcher {
        PolicyDispatcher(self, policy: policy)
    }
}

extension StreamDispatcher {
    /// This dispatcher with a policy on it.
    @_disfavoredOverload
    public func applying(_ policy: some DispatcherPolicy) -> any StreamDispatcher {
        PolicyDispatcher(self, policy: policy)
    }
}

extension RequestDispatcher {
    /// This dispatcher with a policy on it.
    @_disfavoredOverload
    public func applying(_ policy: some DispatcherPolicy) -> any RequestDispatcher {
        PolicyDispatcher(self, policy: policy)
    }
}
