extension ResponseFuture {
    /// The updates of the transfer as an `AsyncSequence`: the same as ``onUpdate(_:)``, for a loop.
    ///
    /// ```swift
    /// let image = dispatcher.dataFuture(from: request)
    /// async let response = image.value
    /// for await update in image.updates() { bar.progress = update.progress.fractionReceived ?? 0 }
    /// show(try await response)
    /// ```
    ///
    /// It only observes: it doesn't start the future or count as interest in it, and leaving the loop early doesn't
    /// cancel it. Each iterator gets the updates made since its creation, in order; make it before the future
    /// is started to miss none. The sequence ends when the future settles, whatever the outcome, after the updates made
    /// until then. It also ends when the iterating task is cancelled, or when the future is released without being
    /// started. For a settled future it ends at once.
    ///
    /// - Parameter bufferingPolicy: what to keep for a consumer that is slower than the transfer; by default the newest
    ///   64 updates. So memory stays constant; each update has the whole progress, so a dropped one matters little.
    ///   `.unbounded` loses none, `.bufferingNewest(1)` suits a progress bar.
    public func updates(
        bufferingPolicy: AsyncStream<TransferUpdate>.Continuation.BufferingPolicy = .bufferingNewest(64)
    ) -> FutureUpdates<Success> {
        FutureUpdates(future: self, bufferingPolicy: bufferingPolicy)
    }
}

/// The updates of a future's transfer: returned by ``ResponseFuture/updates(bufferingPolicy:)``.
///
/// The sequence retains its future; an iterator does not.
public struct FutureUpdates<Success: Sendable>: AsyncSequence, Sendable {
    /// One update.
    public typealias Element = TransferUpdate
    /// Nothing is thrown: the future's outcome is for its awaiters.
    public typealias Failure = Never

    let future: ResponseFuture<Success>
    let bufferingPolicy: AsyncStream<TransferUpdate>.Continuation.BufferingPolicy

    /// Makes an iterator, which gets the updates from now on.
    public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncStream.makeStream(of: TransferUpdate.self, bufferingPolicy: bufferingPolicy)
        let run = future.run
        if let name = run.attach(continuation) {
            // Weak, because the run retains the stream.
            continuation.onTermination = { [weak run] _ in run?.detachOnlooker(name) }
        } else {
            continuation.finish()
        }
        return Iterator(stream: stream)
    }

    /// Returns the updates one by one; releasing it ends the observation.
    public struct Iterator: AsyncIteratorProtocol {
        let stream: AsyncStream<TransferUpdate>

        /// The next update, or `nil` at the end.
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
    /// The next element, in the isolation of the caller; all iterators of a stream share its position.
    fileprivate nonisolated(nonsending) func next() async -> Element? {
        var iterator = makeAsyncIterator()
        let isolation = #isolation
        return await iterator.next(isolation: isolation)
    }
}
