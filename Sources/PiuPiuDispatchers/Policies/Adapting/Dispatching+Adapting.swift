extension Dispatching {
    /// This dispatcher with an adapter of requests, or of responses, or both.
    ///
    /// ```swift
    /// let dispatcher = mock.retrying().adapting(requestAdapter: .headers(["X-App": "Blog/2.1"]))
    /// let signed = dispatcher.adapting(requestAdapter: .closure { request in try key.sign(&request) })
    /// ```
    ///
    /// For futures of all kinds and over every dispatcher, by the rules of ``AdapterPolicy``: around a `retrying()` the
    /// adapters run once, inside of one for each attempt. On a ``URLRequestDispatcher`` itself its own method of this
    /// name is called, whose adapters run below all policies.
    ///
    /// - Parameters:
    ///   - requestAdapter: changes each request before it is sent; retained by the result.
    ///   - responseAdapter: changes the head of each response before the caller sees it; retained by the result.
    public func adapting(
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil
    ) -> PolicyDispatcher<Self, AdapterPolicy> {
        applying(AdapterPolicy(requestAdapter: requestAdapter, responseAdapter: responseAdapter))
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher with an adapter of requests, or of responses, or both.
    @_disfavoredOverload
    public func adapting(
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil
    ) -> any DataDispatcher {
        applying(AdapterPolicy(requestAdapter: requestAdapter, responseAdapter: responseAdapter))
    }
}

extension DownloadDispatcher {
    /// This dispatcher with an adapter of requests, or of responses, or both.
    @_disfavoredOverload
    public func adapting(
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil
    ) -> any DownloadDispatcher {
        applying(AdapterPolicy(requestAdapter: requestAdapter, responseAdapter: responseAdapter))
    }
}

extension UploadDispatcher {
    /// This dispatcher with an adapter of requests, or of responses, or both.
    @_disfavoredOverload
    public func adapting(
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil
    ) -> any UploadDispatcher {
        applying(AdapterPolicy(requestAdapter: requestAdapter, responseAdapter: responseAdapter))
    }
}

extension StreamDispatcher {
    /// This dispatcher with an adapter of requests, or of responses, or both.
    @_disfavoredOverload
    public func adapting(
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil
    ) -> any StreamDispatcher {
        applying(AdapterPolicy(requestAdapter: requestAdapter, responseAdapter: responseAdapter))
    }
}

extension RequestDispatcher {
    /// This dispatcher with an adapter of requests, or of responses, or both.
    @_disfavoredOverload
    public func adapting(
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil
    ) -> any RequestDispatcher {
        applying(AdapterPolicy(requestAdapter: requestAdapter, responseAdapter: responseAdapter))
    }
}
