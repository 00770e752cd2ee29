extension ResponseFuture {
    /// The steps of the transfer as an `AsyncSequence`: the same as ``onUpdate(_:)``, for a loop.
    ///
    /// ```swift
    /// let image = dispatcher.dataFuture(from: request)
    /// async let response = image.value
    /// for await update in image.updates() { bar.progress = update.percentReceived ?? 0 }
    /// show(try await response)
    /// ```
    ///
    /// An onlooker: it doesn't start the future, keep it alive or count as interest in it, and leaving the loop early
    /// doesn't cancel it. Each iterator listens from the moment in which it is made, and gets every update made from
    /// then on, in order; make it before the future is started to miss none. The sequence ends when the future settles,
    /// after the updates made until then, whatever the outcome is; when the task that iterates is cancelled; and when
    /// the future is gone without having been started. On a settled future it ends at once.
    ///
    /// - Parameter bufferingPolicy: what to keep for a consumer that is slower than the transfer. By default the newest
    ///   64 updates: memory stays constant, and as each update carries the whole progress, one that is dropped is only a
    ///   step less. `.unbounded` loses none, `.bufferingNewest(1)` suits a progress bar.
    public func updates(
        bufferingPolicy: AsyncStream<TransferUpdate>.Continuation.BufferingPolicy = .bufferingNewest(64)
    ) -> FutureUpdates<Success> {
        FutureUpdates(future: self, bufferingPolicy: bufferingPolicy)
    }
}

/// The steps of a future's transfer: what ``ResponseFuture/updates(bufferingPolicy:)`` gives.
///
/// The sequence refers to its future; an iterator does not.
public struct FutureUpdates<Success: Sendable>: AsyncSequence, Sendable {
    /// One step.
    public typealias Element = TransferUpdate
    /// Nothing is thrown: the future's outcome is for those who await it.
    public typealias Failure = Never

    let future: ResponseFuture<Success>
    let bufferingPolicy: AsyncStream<TransferUpdate>.Continuation.BufferingPolicy

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncStream.makeStream(of: TransferUpdate.self, bufferingPolicy: bufferingPolicy)
        let run = future.run
        if let name = run.attach(continuation) {
            // Weak, as the run has the stream.
            continuation.onTermination = { [weak run] _ in run?.detachOnlooker(name) }
        } else {
            continuation.finish()
        }
        return Iterator(stream: stream)
    }

    /// Gives the steps one by one; releasing it stops the listening.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: AsyncStream<TransferUpdate>

        /// The next step, or `nil` at the end.
        public mutating func next() async -> TransferUpdate? {
            await stream.next()
        }

        /// The same as ``next()``, for a caller on any actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransferUpdate? {
            await stream.next()
        }
    }
}

@available(*, unavailable)
extension FutureUpdates.Iterator: Sendable {}

extension AsyncStream where Element: Sendable {
    /// The next element, in the isolation of the caller; all iterators of a stream go on where another has stopped.
    fileprivate nonisolated(nonsending) func next() async -> Element? {
        var iterator = makeAsyncIterator()
        let isolation = #isolation
        return await iterator.next(isolation: isolation)
    }
}
