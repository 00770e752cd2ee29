/// Several futures, side by side, as an `AsyncSequence` of what they end with.
///
/// The rules are the same for all. Nothing starts before the first `next()` (contract rule COLD). Then futures are
/// started, in order, until `limit` of them have been started and not been given to the consumer; one more is read from
/// the sequence, and started, only when the consumer comes back for the next. So a slow consumer slows down the start
/// of more (with a limit of 1 nothing runs while it is busy), memory is bounded by the limit, and the sequence may be
/// lazy or endless. Without a limit all start at the first `next()`. A limit below 1 counts as 1. Requests to one server
/// wait for each other besides: see `TransferSettings.exchangesPerOrigin`.
///
/// Each future is started with the priority and the task-local values of the consumer's task (INHERIT), a legacy action
/// on its thread (SYNC-START). Leaving the loop early, cancelling its task, or releasing the iterator cancels the futures that still run, unless
/// somebody else is interested in them (DOWN, SHARED), and starts no more. Nothing here touches the main actor
/// (NO-MAIN).
extension Sequence {
    /// The futures' results as they come; see ``indexedResultsInCompletionOrder(limit:)`` to know whose they are.
    ///
    /// ```swift
    /// for await result in thumbnails.resultsInCompletionOrder(limit: 4) {
    ///     if let image = try? result.get() { show(image) }
    /// }
    /// ```
    ///
    /// A failure is a result and ends nothing; a future that somebody cancels gives a failure with `CancellationError`.
    /// When the task that iterates is cancelled, the sequence ends.
    ///
    /// - Parameter limit: how many may have been started and not been given; `nil` for all at once, below 1 counts as 1.
    public func resultsInCompletionOrder<Success>(limit: Int? = nil) -> FutureResultsSequence<Self, Success>
    where Element == ResponseFuture<Success> {
        FutureResultsSequence(base: self, order: .completion, limit: limit)
    }

    /// The futures' results as they come, with the offset of each future; otherwise like
    /// ``resultsInCompletionOrder(limit:)``.
    ///
    /// ```swift
    /// for await (offset, result) in thumbnails.indexedResultsInCompletionOrder(limit: 4) {
    ///     cells[offset].image = try? result.get()
    /// }
    /// ```
    ///
    /// - Parameter limit: how many may have been started and not been given; `nil` for all at once, below 1 counts as 1.
    public func indexedResultsInCompletionOrder<Success>(
        limit: Int? = nil
    ) -> IndexedFutureResultsSequence<Self, Success> where Element == ResponseFuture<Success> {
        IndexedFutureResultsSequence(base: self, limit: limit)
    }

    /// The futures' results in the order of the futures; otherwise like ``resultsInCompletionOrder(limit:)``.
    ///
    /// A result that comes early waits for its turn, and counts towards the limit until then.
    ///
    /// - Parameter limit: how many may have been started and not been given; `nil` for all at once, below 1 counts as 1.
    public func resultsInOrder<Success>(limit: Int? = nil) -> FutureResultsSequence<Self, Success>
    where Element == ResponseFuture<Success> {
        FutureResultsSequence(base: self, order: .sequence, limit: limit)
    }

    /// The futures' values as they come.
    ///
    /// ```swift
    /// for try await page in pages.valuesInCompletionOrder(limit: 4) { index.add(page) }
    /// ```
    ///
    /// The first failure cancels at once the futures that still run and starts no more (contract rule GROUPS); values
    /// that came before it are still given, then it is thrown. A future that somebody cancels fails with
    /// `CancellationError`. When the task that iterates is cancelled, `CancellationError` is thrown. After that the
    /// sequence has ended.
    ///
    /// - Parameter limit: how many may have been started and not been given; `nil` for all at once, below 1 counts as 1.
    public func valuesInCompletionOrder<Success>(limit: Int? = nil) -> FutureValuesSequence<Self, Success>
    where Element == ResponseFuture<Success> {
        FutureValuesSequence(base: self, order: .completion, limit: limit)
    }

    /// The futures' values in the order of the futures; otherwise like ``valuesInCompletionOrder(limit:)``.
    ///
    /// A value that comes early waits for its turn, and counts towards the limit until then. A failure doesn't wait: it
    /// cancels those that still run as soon as it happens, and is thrown in the place of the first value that is missing.
    ///
    /// - Parameter limit: how many may have been started and not been given; `nil` for all at once, below 1 counts as 1.
    public func valuesInOrder<Success>(limit: Int? = nil) -> FutureValuesSequence<Self, Success>
    where Element == ResponseFuture<Success> {
        FutureValuesSequence(base: self, order: .sequence, limit: limit)
    }
}
