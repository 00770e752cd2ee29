extension URLRequestDispatcher {
    /// This dispatcher with coalescing: it sends equal concurrent requests once.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().coalescing()
    /// ```
    ///
    /// A data future of a GET or a HEAD without a body joins an exchange in flight if method, URL and all headers are
    /// the same as sent, including those of adapters, the configuration and cookies, if the `cachePolicy` is the same,
    /// and if it may use the same networks, as by `allowsCellularAccess`. It gets the whole response, or the same error.
    /// Once there is an outcome, the next request is a new exchange. Streams, downloads and the requests of a
    /// credential's refresh are never shared, and a second copy of a hedge joins only second copies.
    ///
    /// The exchange is cancelled when the last caller has lost interest. It doesn't take the deadline, timeout or
    /// task-local values of the first caller; each caller keeps its own, and a slow caller delays no other. Until the
    /// outcome, the body is kept for callers that join. Over a cache, a stale response replaces that of a silent server
    /// for all callers, after the timeout of the one that waits longest. Engines have no priorities, so there is none
    /// to choose.
    ///
    /// The result shares the engine with this dispatcher, so invalidating one invalidates both. Requests of this
    /// dispatcher itself aren't coalesced.
    public func coalescing() -> URLRequestDispatcher {
        over { $0.coalescing() }
    }
}
