extension URLRequestDispatcher {
    /// This dispatcher with one more adapter of requests, or of responses, or of both.
    ///
    /// ```swift
    /// let network = URLRequestDispatcher(requestAdapter: Language())
    /// let signed = network.adapting(requestAdapter: Signature(key: key))  // after the language
    /// ```
    ///
    /// An adapter of requests runs after those that the dispatcher has, once for each attempt (contract rule ADAPT of
    /// <doc:Contract>), and before a cache, a limit and the like, whichever was applied first. An adapter of responses
    /// runs after those that the dispatcher has, once for each response, and after a cache, a limit and the like.
    /// Requests of this dispatcher itself, and of futures that it has made, are not adapted by them, nor are their
    /// responses.
    ///
    /// The result shares the engine, its connections and its cookies with this dispatcher, so invalidating one
    /// invalidates both.
    ///
    /// - Parameters:
    ///   - requestAdapter: changes each request before it is sent; retained by the result.
    ///   - responseAdapter: changes the head of each response before the caller sees it; retained by the result.
    public func adapting(
        requestAdapter: (any RequestAdapter)? = nil, responseAdapter: (any ResponseAdapter)? = nil
    ) -> URLRequestDispatcher {
        var copy = self
        if let requestAdapter {
            copy.requestAdapter = self.requestAdapter.map { RequestAdapterChain($0, requestAdapter) } ?? requestAdapter
        }
        if let responseAdapter {
            copy.responseAdapter =
                self.responseAdapter.map { ResponseAdapterChain($0, responseAdapter) } ?? responseAdapter
        }
        return copy
    }
}
