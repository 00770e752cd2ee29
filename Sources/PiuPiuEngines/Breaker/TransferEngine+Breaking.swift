extension TransferEngine {
    /// This engine with a circuit breaker: for a while it sends no requests to a failing server.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(engine: MyEngine().breaking(.standard))
    /// ```
    ///
    /// The article <doc:DecoratingEngines> has the rules. For a dispatcher, write
    /// ``URLRequestDispatcher/breaking(_:)``.
    ///
    /// - Parameter breaker: the rules: after how many failures, and for how long.
    public func breaking(_ breaker: CircuitBreaker = .standard) -> any TransferEngine {
        BreakingEngine(withLines, by: breaker)
    }
}
