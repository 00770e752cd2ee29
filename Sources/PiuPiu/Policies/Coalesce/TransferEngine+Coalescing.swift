extension TransferEngine {
    /// This engine, which sends equal requests that are under way at the same time once.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(engine: MyEngine().coalescing())
    /// ```
    ///
    /// The article <doc:DecoratingEngines> has the rules, C1 to C5 of <doc:Contract>. For a dispatcher, write
    /// ``URLRequestDispatcher/coalescing()``.
    public func coalescing() -> any TransferEngine {
        CoalescingEngine(withLines)
    }
}

extension URLRequestDispatcher {
    /// This dispatcher, which sends equal requests that are under way at the same time once.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().coalescing()
    /// ```
    ///
    /// A data future of a GET or a HEAD without a body joins an exchange that is under way, if method, URL and all headers are
    /// the same, as they are sent: with those of adapters, of the configuration and of cookies. It gets the whole response, or
    /// the same error. As soon as there is an outcome, the next request is a new exchange. Streams and downloads are never shared,
    /// and a second copy that a hedge sends joins second copies only.
    ///
    /// The exchange ends when the last caller has lost interest. It has neither a deadline nor a timeout nor task-local values
    /// of the first one; each caller has those of its own, and nobody waits for a slow one. Until the outcome the body is kept for
    /// those who join. Engines know no priorities, so there is none to choose.
    ///
    /// The result shares the engine with this dispatcher, whose own requests aren't shared: to invalidate one is to invalidate
    /// both.
    public func coalescing() -> URLRequestDispatcher {
        over { $0.coalescing() }
    }
}
