extension TransferEngine {
    /// This engine with a limit of concurrent requests; the others wait in a queue.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(engine: MyEngine().limited(to: 32, perHost: 4))
    /// ```
    ///
    /// The article <doc:DecoratingEngines> has the rules, L1 to L5 of <doc:Contract>. To limit a dispatcher, write
    /// ``URLRequestDispatcher/limited(to:perHost:maximumWaiting:)``.
    ///
    /// - Parameters:
    ///   - total: how many requests are in flight at once; less than 1 counts as 1.
    ///   - perHost: how many of them to one origin (scheme, host and port); less than 1 counts as 1.
    ///   - maximumWaiting: how many may wait. One more fails at once with a ``LineFullError``.
    public func limited(to total: Int = .max, perHost: Int = .max, maximumWaiting: Int = .max) -> any TransferEngine {
        LimitedEngine(
            withLines, rules: .limit(to: total, perHost: perHost, maximumWaiting: maximumWaiting))
    }

    /// This engine with the queues of its settings inside, if they limit requests, so that decorators above it see each
    /// request at once.
    var withLines: any TransferEngine {
        let settings = settings
        guard settings.hasLimit, !settings.hasLinesInEngine else { return self }
        return LimitedEngine(self, rules: .settings(settings))
    }
}
