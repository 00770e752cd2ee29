extension URLRequestDispatcher {
    /// This dispatcher with a limit of concurrent requests; the others wait in a queue.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().limited(to: 32, perHost: 4)
    /// ```
    ///
    /// A request holds its slot until its response is complete, has failed or was cancelled; a stream until its last
    /// byte has arrived, at the pace of its reader, or until it is released. The others wait in order, and hosts take
    /// turns. The timeout of a request doesn't run while it waits, but the whole timeout of the configuration does, and
    /// so does the time limit of a future. A cancelled request leaves the queue at once and sends nothing. `file:` and
    /// `data:` URLs need no slot, and a credential refresh doesn't wait for one. After a redirect, a request goes to
    /// the end of the queue.
    ///
    /// The limit of the configuration, usually six to one origin, also applies. The result shares the engine with this
    /// dispatcher, so invalidating one invalidates both. Requests of this dispatcher itself aren't counted.
    ///
    /// - Parameters:
    ///   - total: how many requests are in flight at once; less than 1 counts as 1.
    ///   - perHost: how many of them to one origin (scheme, host and port); less than 1 counts as 1.
    ///   - maximumWaiting: how many may wait. One more fails at once with a ``LineFullError``.
    public func limited(
        to total: Int = .max, perHost: Int = .max, maximumWaiting: Int = .max
    ) -> URLRequestDispatcher {
        over { $0.limited(to: total, perHost: perHost, maximumWaiting: maximumWaiting) }
    }
}
