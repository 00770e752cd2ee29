extension ResponseFuture {
    /// What the future has ended with; `nil` as long as it has not.
    ///
    /// ```swift
    /// if case .success(let image)? = thumbnail.settledResult { cell.image = image }
    /// ```
    ///
    /// A look that starts nothing, suspends nobody and waits for no work, from any thread. A future that was cancelled
    /// gives a failure with `CancellationError`. It is the outcome that awaiters get, which ``AnyResponseFuture/status``
    /// differs from if a `success` callback threw, or the callbacks were cancelled (contract rules THROW and
    /// AFTER-CANCEL).
    ///
    /// PromiseKit: `result`; swift-nio keeps it to itself.
    public var settledResult: Result<Success, any Error>? {
        if let outcome = rememberedOutcome { return outcome.flatMap { .success($0.value) }.result }
        return existingRun?.settledOutcome?.typed().result
    }
}
