extension TransferEngine {
    /// This engine with coalescing: it sends equal concurrent requests once.
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
