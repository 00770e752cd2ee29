extension URLRequestDispatcher {
    /// This dispatcher with a circuit breaker: for a while it sends no requests to a failing server.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().breaking(.standard)
    /// ```
    ///
    /// ``CircuitBreaker`` has the rules. A request that isn't sent fails at once with a ``CircuitOpenError``; one that
    /// waits in a queue, when its turn comes. The result shares the engine with this dispatcher, so invalidating one
    /// invalidates both. Requests of this dispatcher itself bypass the breaker.
    ///
    /// - Parameter breaker: the rules: after how many failures, and for how long.
    public func breaking(_ breaker: CircuitBreaker = .standard) -> URLRequestDispatcher {
        over { $0.breaking(breaker) }
    }
}
