extension ResponseFuture {
    /// Runs a closure whatever the outcome of the future, and passes the outcome on when the closure is done.
    ///
    /// ```swift
    /// indicator.show()
    /// let posts = client.posts().ensure { await indicator.hide() }
    /// ```
    ///
    /// For a started chain it runs exactly once, in the background, after a value, an error or a cancellation. It runs
    /// before the outcome reaches the result's callbacks, awaiters and dependent futures. For a chain that is never
    /// started, or is cancelled before its start, it does not run.
    ///
    /// When the chain is cancelled from below, the cancellation waits for nothing (contract rules UP and PROMPT): the
    /// closure runs at once and concurrently, even if the work above doesn't notice. The closure itself is never
    /// cancelled: it runs in a task of its own, with the priority and the task-local values of the task that started
    /// the chain (INHERIT).
    ///
    /// PromiseKit: `ensure`, and `ensureThen` for the `async` form; swift-nio: `always`; legacy: `completion`, which
    /// runs on the main actor once the future was started or cancelled.
    ///
    /// - Parameter body: the closure to run; it may also be synchronous.
    public func ensure(_ body: @escaping @Sendable () async -> Void) -> ResponseFuture<Success> {
        ResponseFuture(parent: self, kind: .supervising) { (link: AnyResponseFuture, head: FutureRun) async throws in
            let (waiting, signal) = AsyncStream.makeStream(of: Void.self)
            let ensuring = Task { @concurrent in
                for await _ in waiting {}
                head.noteHelper()
                await body()
            }
            return try await withTaskCancellationHandler {
                let result = await Self.resultOfParent(of: link, for: head)
                signal.finish()
                await ensuring.value
                head.noteCurrentTask()
                return TypedFutureValue(try result.get())
            } onCancel: {
                signal.finish()
            }
        }
    }

    /// The result of the parent, or a cancellation of the chain meanwhile.
    private static func resultOfParent(
        of link: AnyResponseFuture, for head: FutureRun
    ) async -> Result<Success, any Error> {
        do {
            try await link.settleAbove(for: head)
            return .success(try value(ofSettledParentOf: link))
        } catch {
            return .failure(error)
        }
    }
}
