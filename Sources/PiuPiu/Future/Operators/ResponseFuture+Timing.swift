/// Operators that know the time, of any clock.
extension ResponseFuture {
    /// Fails if the future has not ended in time.
    ///
    /// ```swift
    /// let posts = client.posts().timeout(.seconds(5))
    /// ```
    ///
    /// The time begins when the result is started. When it is over the result fails at once, whether or not the work
    /// notices (contract rule PROMPT); this future is cancelled then, unless somebody else is interested in it (SHARED). A
    /// cancellation of either ends both. Updates go on until the end. With no time at all the result fails as soon as it
    /// is started, and this future is not started for its sake.
    ///
    /// It is a `race` against the clock. PromiseKit: `race(promise, after(seconds:))`.
    ///
    /// - Parameters:
    ///   - duration: how long it may take.
    ///   - clock: what measures the time; left out, the continuous clock.
    /// - Returns: a future that ends as this one does, or fails with ``FutureError/timedOut(after:)``.
    public consuming func timeout(
        _ duration: Duration, clock: some Clock<Duration> = .continuous
    ) -> ResponseFuture<Success> {
        let error = FutureError.timedOut(after: duration)
        guard duration > .zero else { return ResponseFuture(error: error) }
        // The first to begin, as the work may do much before it suspends.
        let timer = ResponseFuture { () async throws -> Success in
            try await clock.sleep(for: duration)
            throw error
        }
        return .race([timer, consume self])
    }

    /// Holds the value back for a while; an error or a cancellation is passed on at once.
    ///
    /// The time begins when the value is there. A cancellation ends the wait at once (contract rule PROMPT).
    ///
    /// Combine: `delay`; PromiseKit: `then { after(…) }`.
    ///
    /// - Parameters:
    ///   - duration: how long.
    ///   - clock: what measures the time; left out, the continuous clock.
    public func delay(_ duration: Duration, clock: some Clock<Duration> = .continuous) -> ResponseFuture<Success> {
        then { value async throws in
            try await clock.sleep(for: duration)
            return value
        }
    }

    /// A future that succeeds some time after it is started.
    ///
    /// ```swift
    /// let hint = ResponseFuture.after(.seconds(3)).flatMap { client.hint() }
    /// ```
    ///
    /// A cancellation ends the wait at once (contract rule PROMPT).
    ///
    /// PromiseKit: `after(seconds:)`; swift-nio: `scheduleTask(in:)`.
    ///
    /// - Parameters:
    ///   - duration: how long.
    ///   - clock: what measures the time; left out, the continuous clock.
    public static func after(
        _ duration: Duration, clock: some Clock<Duration> = .continuous
    ) -> ResponseFuture<Void> where Success == Void {
        ResponseFuture<Void> { () async throws in try await clock.sleep(for: duration) }
    }
}
