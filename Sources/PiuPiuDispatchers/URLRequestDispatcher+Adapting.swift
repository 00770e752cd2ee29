extension URLRequestDispatcher {
    /// This dispatcher with one more adapter of requests.
    ///
    /// ```swift
    /// let network = URLRequestDispatcher(requestAdapter: Language())
    /// let signed = network.adapting(with: Signature(key: key))  // after the language
    /// ```
    ///
    /// It runs after the adapters that the dispatcher has, once for each attempt (contract rule ADAPT of
    /// <doc:Contract>), and before a cache, a limit and the like, whichever was applied first. Requests of this
    /// dispatcher itself, and of futures that it has made, are not adapted by it.
    ///
    /// The result shares the engine, its connections and its cookies with this dispatcher, so invalidating one
    /// invalidates both.
    ///
    /// - Parameter adapter: is retained by the result.
    public func adapting(with adapter: some RequestAdapter) -> URLRequestDispatcher {
        adapting(requests: adapter, responses: nil)
    }

    /// This dispatcher with one more adapter of responses.
    ///
    /// It runs after the adapters that the dispatcher has, once for each response, and after a cache, a limit and the
    /// like. Responses to requests of this dispatcher itself, and of futures that it has made, are not adapted by it.
    ///
    /// The result shares the engine, its connections and its cookies with this dispatcher, so invalidating one
    /// invalidates both.
    ///
    /// - Parameter adapter: is retained by the result.
    public func adapting(with adapter: some ResponseAdapter) -> URLRequestDispatcher {
        adapting(requests: nil, responses: adapter)
    }

    /// This dispatcher with one more adapter, of requests and of their responses.
    ///
    /// It does both: what the method for an adapter of requests and that for an adapter of responses say.
    ///
    /// - Parameter adapter: is retained by the result.
    public func adapting(with adapter: some RequestAdapter & ResponseAdapter) -> URLRequestDispatcher {
        adapting(requests: adapter, responses: adapter)
    }

    private func adapting(
        requests: (any RequestAdapter)?, responses: (any ResponseAdapter)?
    ) -> URLRequestDispatcher {
        var copy = self
        if let requests {
            copy.requestAdapter = requestAdapter.map { RequestAdapterChain($0, requests) } ?? requests
        }
        if let responses {
            copy.responseAdapter = responseAdapter.map { ResponseAdapterChain($0, responses) } ?? responses
        }
        return copy
    }
}
