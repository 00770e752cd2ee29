import PiuPiu

extension RecordingDispatcher {
    /// Waits until at least `count` requests were sent, and gives all that were; with a condition, only of those that fit.
    ///
    /// ```swift
    /// try await recorder.sent(2)
    /// let posts = try await recorder.sent(where: { $0.urlRequest.httpMethod == "POST" })
    /// try await recorder.sent(3, within: .seconds(5))
    /// ```
    ///
    /// - Parameters:
    ///   - count: how many are waited for.
    ///   - limit: how long; `nil` for ever.
    ///   - clock: what the limit is measured by; the clock of the dispatcher if there is none.
    ///   - fits: which count. It is called several times for each, one after the other.
    /// - Throws: ``ExchangesMissingError``, which lists what was there, after the limit; a `CancellationError` as soon as the
    ///   task is cancelled.
    @discardableResult
    public func sent(
        _ count: Int = 1, within limit: Duration? = nil, clock: (any Clock<Duration>)? = nil,
        where fits: @Sendable (RecordedExchange) -> Bool = { _ in true }
    ) async throws -> [RecordedExchange] {
        try await wait(for: count, .sent, within: limit, clock, where: fits) { _ in true }
    }

    /// Waits until at least `count` requests have ended: with a response and its body, an error or a cancellation. Gives
    /// all that were sent, those that still run included; with a condition, only of those that fit.
    ///
    /// The body of a stream counts as ended when it was read to its end, and when nobody reads it any more.
    ///
    /// - Parameters:
    ///   - count: how many are waited for.
    ///   - limit: how long; `nil` for ever.
    ///   - clock: what the limit is measured by; the clock of the dispatcher if there is none.
    ///   - fits: which count. It is called several times for each, one after the other.
    /// - Throws: ``ExchangesMissingError``, which lists what was there, after the limit; a `CancellationError` as soon as the
    ///   task is cancelled.
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
            throw ExchangesMissingError(
                stage: stage, expectedCount: count, limit: limit ?? .zero, exchanges: exchanges,
                count: exchanges.count { isReached($0) && fits($0) })
        }
    }
}
