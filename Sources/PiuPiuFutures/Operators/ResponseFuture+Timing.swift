/// Operators that depend on time, with any clock.
extension ResponseFuture {
    /// Fails if the future has not ended in time.
    ///
    /// ```swift
    /// let posts = client.posts().timeout(.seconds(5))
    /// ```
    ///
    /// The time begins when the result is started. When it is over, the result fails at once, whether or not the work
    /// notices (contract rule PROMPT), and this future is cancelled, unless somebody else is interested in it (SHARED).
    /// A cancellation of either ends both. Updates are passed on until the end. With a duration of zero or less, the
    /// result fails as soon as it is started, and doesn't start this future.
    ///
    /// It is a `race` against the clock. PromiseKit: `race(promise, after(seconds:))`.
    ///
    /// - Parameters:
    ///   - duration: the time limit.
    ///   - clock: measures the time; by default the continuous clock.
    /// - Returns: a future with the outcome of this one, or that fails with ``FutureError/timedOut(after:)``.
    public consuming func timeout(
        _ duration: Duration, clock: some Clock<Duration> = .continuous
    ) -> ResponseFuture<Success> {
        let error = FutureError.timedOut(after: duration)
        guard duration > .zero else { return ResponseFuture(error: error) }
        // The timer begins first, because the work may take long before it suspends: before a legacy action, too.
        let timer = ResponseFuture<Success>(parent: nil) {
            (_: AnyResponseFuture, _: FutureRun) async throws -> TypedFutureValue<Success> in
            try await clock.sleep(latency: duration)
            throw error
        }
        return .race([timer, consume self])
    }

    /// Delays the value; an error or a cancellation is passed on at once.
    ///
    /// The time begins when the value is available. A cancellation ends the wait at once (contract rule PROMPT).
    ///
    /// Combine: `delay`; PromiseKit: `then { after(…) }`.
    ///
    /// - Parameters:
    ///   - duration: how long.
    ///   - clock: measures the time; by default the continuous clock.
    public func delay(_ duration: Duration, clock: some Clock<Duration> = .continuous) -> ResponseFuture<Success> {
        then { value async throws in
            try await clock.sleep(latency: duration)
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
    ///   - clock: measures the time; by default the continuous clock.
    public static func after(
        _ duration: Duration, clock: some Clock<Duration> = .continuous
    ) -> ResponseFuture<Void> where Success == Void {
        ResponseFuture<Void>(parent: nil) { (_: AnyResponseFuture, _: FutureRun) async throws in
            TypedFutureValue(try await clock.sleep(latency: duration))
        }
    }
}
