extension TransferEngine {
    /// This engine, which sends so many requests at once and keeps the others in line.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(engine: MyEngine().limited(to: 32, perHost: 4))
    /// ```
    ///
    /// The article <doc:DecoratingEngines> has the rules, L1 to L5 of <doc:Contract>. To limit a dispatcher, write
    /// ``URLRequestDispatcher/limited(to:perHost:maximumWaiting:)``.
    ///
    /// - Parameters:
    ///   - total: how many requests are under way at once; less than 1 counts as 1.
    ///   - perHost: how many of them to one origin (scheme, host and port); less than 1 counts as 1.
    ///   - maximumWaiting: how many may wait. One more fails at once with a ``LineFullError``.
    public func limited(to total: Int = .max, perHost: Int = .max, maximumWaiting: Int = .max) -> any TransferEngine {
        LimitedEngine(
            withLines, rules: .limit(to: total, perHost: perHost, maximumWaiting: maximumWaiting))
    }

    /// This engine, which keeps requests waiting itself where its settings limit them, so that what stands above it sees each
    /// of them at once.
    var withLines: any TransferEngine {
        let settings = settings
        guard settings.hasLimit, !settings.hasLinesInEngine else { return self }
        return LimitedEngine(self, rules: .settings(settings))
    }
}

extension URLRequestDispatcher {
    /// This dispatcher, which sends so many requests at once and keeps the others in line.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().limited(to: 32, perHost: 4)
    /// ```
    ///
    /// A request has its slot until its response is complete, has failed or was cancelled; a stream until its last byte has
    /// come, which its reader's pace decides, or until it is dropped. Others wait, first come first served, and hosts take
    /// turns. No timeout of a request runs while it waits, but a whole timeout of the configuration does, and so does the time
    /// limit of a future. A cancelled request leaves the line at once and sends nothing. `file:` and `data:` URLs need no
    /// slot, and a refresh of a credential doesn't wait for one. After a redirect a request waits anew, at the end.
    ///
    /// The limit of the configuration, usually six to one origin, holds as well. The result shares the engine with this
    /// dispatcher, whose own requests aren't counted: to invalidate one is to invalidate both.
    ///
    /// - Parameters:
    ///   - total: how many requests are under way at once; less than 1 counts as 1.
    ///   - perHost: how many of them to one origin (scheme, host and port); less than 1 counts as 1.
    ///   - maximumWaiting: how many may wait. One more fails at once with a ``LineFullError``.
    public func limited(
        to total: Int = .max, perHost: Int = .max, maximumWaiting: Int = .max
    ) -> URLRequestDispatcher {
        over { $0.limited(to: total, perHost: perHost, maximumWaiting: maximumWaiting) }
    }
}
