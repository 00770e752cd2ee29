extension TransferEngine {
    /// This engine, which for a while sends no requests to a server that fails.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(engine: MyEngine().breaking(.standard))
    /// ```
    ///
    /// The article <doc:DecoratingEngines> has the rules. For a dispatcher, write ``URLRequestDispatcher/breaking(_:)``.
    ///
    /// - Parameter breaker: after how many failures, and for how long.
    public func breaking(_ breaker: CircuitBreaker = .standard) -> any TransferEngine {
        BreakingEngine(withLines, by: breaker)
    }
}

extension URLRequestDispatcher {
    /// This dispatcher, which for a while sends no requests to a server that fails.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().breaking(.standard)
    /// ```
    ///
    /// By the rules of ``CircuitBreaker``. A request that isn't sent fails at once with a ``CircuitOpenError``; so does one that
    /// waits for its turn, as soon as that has come. The result shares the engine with this dispatcher, whose own requests
    /// aren't watched: to invalidate one is to invalidate both.
    ///
    /// - Parameter breaker: after how many failures, and for how long.
    public func breaking(_ breaker: CircuitBreaker = .standard) -> URLRequestDispatcher {
        over { $0.breaking(breaker) }
    }
}
