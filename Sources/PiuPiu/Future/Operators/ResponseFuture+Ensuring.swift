extension ResponseFuture {
    /// Runs a closure whatever the future ends with, and passes that on when the closure is done.
    ///
    /// ```swift
    /// indicator.show()
    /// let posts = client.posts().ensure { await indicator.hide() }
    /// ```
    ///
    /// It runs exactly once for a chain that was started, in the background, after a value, an error or a cancellation,
    /// and before what is made from this future, its callbacks and its awaiters hear of that. For a chain that is never
    /// started, or is cancelled before, it does not run.
    ///
    /// When the chain is cancelled from below, the cancellation waits for nobody (contract rules UP and PROMPT): the
    /// closure runs at once beside it, even if the work above notices nothing. The closure itself is never cancelled: it
    /// runs in a task of its own, with the priority and the task-local values of what started the chain (INHERIT).
    ///
    /// PromiseKit: `ensure`, and `ensureThen` for the `async` form; swift-nio: `always`; legacy: `completion`, which runs on
    /// the main actor, and only when the future is sent.
    ///
    /// - Parameter body: what is to be done in any case; a synchronous closure is as good.
    public func ensure(_ body: @escaping @Sendable () async -> Void) -> ResponseFuture<Success> {
        ResponseFuture(parent: self, kind: .supervising) { (link: AnyResponseFuture, head: FutureRun) async throws in
            let (waiting, signal) = AsyncStream.makeStream(of: Void.self)
            let ensuring = Task { @concurrent in
                for await _ in waiting {}
                await body()
            }
            return try await withTaskCancellationHandler {
                let result = await Self.resultOfParent(of: link, for: head)
                signal.finish()
                await ensuring.value
                return TypedFutureValue(try result.get())
            } onCancel: {
                signal.finish()
            }
        }
    }

    /// How the parent ends, or that the chain has been cancelled meanwhile.
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
