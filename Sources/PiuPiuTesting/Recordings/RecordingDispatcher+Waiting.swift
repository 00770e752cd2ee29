import PiuPiu

extension RecordingDispatcher {
    /// Waits until at least `count` requests were sent, and returns all that were; with a condition, only those that
    /// fit.
    ///
    /// ```swift
    /// try await recorder.sent(2)
    /// let posts = try await recorder.sent(where: { $0.urlRequest.httpMethod == "POST" })
    /// try await recorder.sent(3, within: .seconds(5))
    /// ```
    ///
    /// Without `clock` that of the dispatcher measures the limit. If it is a ``ManualClock``, the limit comes only when the
    /// test advances it, and counts as a sleeper in ``ManualClock/sleepers(_:)`` and ``ManualClock/deadlines``. For a
    /// limit in real time pass `clock: ContinuousClock()`.
    ///
    /// - Parameters:
    ///   - count: how many requests to wait for.
    ///   - limit: how long to wait; `nil` for ever.
    ///   - clock: measures the limit; `nil` for the clock of the dispatcher.
    ///   - fits: which requests count. It is called several times for each, one call after the other. A wait looks
    ///     again only at requests that have changed, so let it depend on nothing else.
    /// - Throws: after the limit an ``ExchangesMissingError``, which lists the requests that there were; a
    ///   `CancellationError` as soon as the task is cancelled.
    @discardableResult
    public func sent(
        _ count: Int = 1, within limit: Duration? = nil, clock: (any Clock<Duration>)? = nil,
        where fits: @Sendable (RecordedExchange) -> Bool = { _ in true }
    ) async throws -> [RecordedExchange] {
        try await wait(for: count, .sent, within: limit, clock, where: fits) { _ in true }
    }

    /// Waits until at least `count` requests have ended: with a response and its body, an error or a cancellation.
    ///
    /// Returns all requests that were sent, including those in flight; with a condition, only those that fit. A stream
    /// has ended when its body was read to the end, or when nobody reads it any more.
    ///
    /// Without `clock` that of the dispatcher measures the limit. If it is a ``ManualClock``, the limit comes only when the
    /// test advances it, and counts as a sleeper in ``ManualClock/sleepers(_:)`` and ``ManualClock/deadlines``. For a
    /// limit in real time pass `clock: ContinuousClock()`.
    ///
    /// - Parameters:
    ///   - count: how many requests to wait for.
    ///   - limit: how long to wait; `nil` for ever.
    ///   - clock: measures the limit; `nil` for the clock of the dispatcher.
    ///   - fits: which requests count. It is called several times for each, one call after the other. A wait looks
    ///     again only at requests that have changed, so let it depend on nothing else.
    /// - Throws: after the limit an ``ExchangesMissingError``, which lists the requests that there were; a
    ///   `CancellationError` as soon as the task is cancelled.
    @discardableResult
    public func ended(
        _ count: Int = 1, within limit: Duration? = nil, clock: (any Clock<Duration>)? = nil,
        where fits: @Sendable (RecordedExchange) -> Bool = { _ in true }
    ) async throws -> [RecordedExchange] {
        try await wait(for: count, .ended, within: limit, clock, where: fits) { $0.outcome != nil }
    }

    private func wait(
        for count: Int, _ stage: ExchangesMissingError.Stage, within limit: Duration?, _ clock: (any Clock<Duration>)?,
        where fits: @Sendable (RecordedExchange) -> Bool, _ isReached: @Sendable (RecordedExchange) -> Bool
    ) async throws -> [RecordedExchange] {
        do {
            let limit = limit.map { ($0, clock ?? self.clock) }
            return try await log.wait(for: count, within: limit) { isReached($0) && fits($0) }.filter(fits)
        } catch is RecordedExchangeList.TimeIsUp {
            // The last request may have come just before the limit, or since. The error shows what was counted.
            let exchanges = exchanges
            let reached = exchanges.count { isReached($0) && fits($0) }
            guard reached < count else { return exchanges.filter(fits) }
            throw ExchangesMissingError(
                stage: stage, expectedCount: count, limit: limit ?? .zero, exchanges: exchanges, count: reached)
        }
    }
}
