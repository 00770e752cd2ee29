extension ResponseFuture {
    /// Runs the future that a closure makes, and tries again after an error.
    ///
    /// ```swift
    /// let key = ResponseFuture.retry(4, delays: .exponential(from: .seconds(1), upTo: .seconds(30))) {
    ///     vault.key()
    /// }
    /// ```
    ///
    /// The closure runs in the background when the result is started, and once for each further attempt. It must make a
    /// new future, because a failed one keeps its error (contract rule MEMO). Updates of all attempts are updates of
    /// the result. The error of the last attempt is the error of the result. Cancelling the result cancels the attempt,
    /// or ends the wait for the next, at once, and there are no more attempts (PROMPT, UP).
    ///
    /// PromiseKit: the `attempt(maximumRetryCount:delayBeforeRetry:_:)` of its documentation. It knows nothing of
    /// requests: the caller decides whether one may be sent twice. A dispatcher's `retrying()` knows.
    ///
    /// - Parameters:
    ///   - attempts: the maximum number of attempts; less than one counts as one.
    ///   - errors: after which there is another attempt; by default after every error, but after no cancellation.
    ///   - delays: how long to wait before each further attempt; by default not at all.
    ///   - clock: measures the time; by default the continuous clock.
    ///   - makeFuture: makes the future of one attempt; an error that it throws is the error of that attempt.
    public static func retry(
        _ attempts: Int, on errors: RecoverableErrors = .errors, delays: RetryDelays = .none,
        clock: some Clock<Duration> = .continuous,
        _ makeFuture: @escaping @Sendable () throws -> ResponseFuture<Success>
    ) -> ResponseFuture<Success> {
        ResponseFuture(parent: nil) { (_: AnyResponseFuture, head: FutureRun) async throws in
            for attempt in 1..<max(attempts, 1) {
                do {
                    return try await value(ofAttempt: makeFuture, for: head)
                } catch {
                    try head.checkWork()
                    guard errors.contains(error) else { throw error }
                }
                try await clock.sleep(latency: delays.delay(after: attempt))
            }
            return try await value(ofAttempt: makeFuture, for: head)
        }
    }

    private static func value(
        ofAttempt makeFuture: () throws -> ResponseFuture<Success>, for head: FutureRun
    ) async throws -> TypedFutureValue<Success> {
        try head.checkWork()
        return try await InnerFuture.value(of: try makeFuture(), for: head)
    }
}
