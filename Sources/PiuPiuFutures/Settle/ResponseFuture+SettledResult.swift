extension ResponseFuture {
    /// The outcome of the future; `nil` until it has settled.
    ///
    /// ```swift
    /// if case .success(let image)? = thumbnail.settledResult { cell.image = image }
    /// ```
    ///
    /// Reading it starts nothing and never waits; from any thread. A cancelled future gives a failure with
    /// `CancellationError`. It is the outcome that awaiters get. ``AnyResponseFuture/status`` differs from it if a
    /// `success` callback threw, or the callbacks were cancelled (contract rules THROW and AFTER-CANCEL).
    ///
    /// PromiseKit: `result`; swift-nio doesn't expose it.
    public var settledResult: Result<Success, any Error>? {
        if let outcome = rememberedOutcome { return outcome.flatMap { .success($0.value) }.result }
        return existingRun?.settledOutcome?.typed().result
    }
}
