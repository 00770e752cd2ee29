/// Several concurrent futures as an `AsyncSequence` of their outcomes.
///
/// The rules are the same for all. Nothing starts before the first `next()` (contract rule COLD). Then futures are
/// started, in order, until `limit` of them have been started and not been delivered to the consumer. One more is read
/// from the sequence, and started, only when the consumer asks for the next. This is back-pressure: a slow consumer
/// delays further starts (with a limit of 1 nothing runs while it is busy), memory is bounded by the limit, and the
/// sequence may be lazy or endless. Without a limit all start at the first `next()`. A limit below 1 counts as 1.
/// Requests to one server are limited separately: see `TransferSettings.exchangesPerOrigin`.
///
/// Each future is started with the priority and the task-local values of the consumer's task (INHERIT), a legacy action
/// on its thread (SYNC-START). Leaving the loop early or releasing the iterator cancels the running futures, unless
/// somebody else is interested in them (DOWN, SHARED), and starts no more. Cancelling its task does the same as soon as
/// the loop asks for the next result, not while its body runs: put long work into a `then` of the futures, or into a
/// task group. Nothing here uses the main actor (NO-MAIN).
extension Sequence {
    /// The futures' results as they settle; ``indexedResultsInCompletionOrder(limit:)`` adds their offsets.
    ///
    /// ```swift
    /// for await result in thumbnails.resultsInCompletionOrder(limit: 4) {
    ///     if let image = try? result.get() { show(image) }
    /// }
    /// ```
    ///
    /// A failure is a result and ends nothing; a cancelled future gives a failure with `CancellationError`. When the
    /// iterating task is cancelled, the sequence ends.
    ///
    /// - Parameter limit: how many may have been started and not been delivered; `nil` for all at once, below 1 counts
    ///   as 1.
    public func resultsInCompletionOrder<Success>(limit: Int? = nil) -> FutureResultsSequence<Self, Success>
    where Element == ResponseFuture<Success> {
        FutureResultsSequence(base: self, order: .completion, limit: limit)
    }

    /// The futures' results as they settle, with the offset of each future; otherwise like
    /// ``resultsInCompletionOrder(limit:)``.
    ///
    /// ```swift
    /// for await (offset, result) in thumbnails.indexedResultsInCompletionOrder(limit: 4) {
    ///     cells[offset].image = try? result.get()
    /// }
    /// ```
    ///
    /// - Parameter limit: how many may have been started and not been delivered; `nil` for all at once, below 1 counts
    ///   as 1.
    public func indexedResultsInCompletionOrder<Success>(
        limit: Int? = nil
    ) -> IndexedFutureResultsSequence<Self, Success> where Element == ResponseFuture<Success> {
        IndexedFutureResultsSequence(base: self, limit: limit)
    }

    /// The futures' results in the order of the futures; otherwise like ``resultsInCompletionOrder(limit:)``.
    ///
    /// An early result waits for its turn, and counts towards the limit until then.
    ///
    /// - Parameter limit: how many may have been started and not been delivered; `nil` for all at once, below 1 counts
    ///   as 1.
    public func resultsInOrder<Success>(limit: Int? = nil) -> FutureResultsSequence<Self, Success>
    where Element == ResponseFuture<Success> {
        FutureResultsSequence(base: self, order: .sequence, limit: limit)
    }

    /// The futures' values as they settle.
    ///
    /// ```swift
    /// for try await page in pages.valuesInCompletionOrder(limit: 4) { index.add(page) }
    /// ```
    ///
    /// The first failure cancels the running futures at once and starts no more (contract rule GROUPS); earlier values
    /// are still delivered, then it is thrown. A cancelled future fails with `CancellationError`. When the iterating
    /// task is cancelled, `CancellationError` is thrown. After that the sequence has ended.
    ///
    /// - Parameter limit: how many may have been started and not been delivered; `nil` for all at once, below 1 counts
    ///   as 1.
    public func valuesInCompletionOrder<Success>(limit: Int? = nil) -> FutureValuesSequence<Self, Success>
    where Element == ResponseFuture<Success> {
        FutureValuesSequence(base: self, order: .completion, limit: limit)
    }

    /// The futures' values in the order of the futures; otherwise like ``valuesInCompletionOrder(limit:)``.
    ///
    /// An early value waits for its turn, and counts towards the limit until then. A failure doesn't wait: it cancels
    /// the running futures as soon as it happens, and is thrown in place of the first missing value.
    ///
    /// - Parameter limit: how many may have been started and not been delivered; `nil` for all at once, below 1 counts
    ///   as 1.
    public func valuesInOrder<Success>(limit: Int? = nil) -> FutureValuesSequence<Self, Success>
    where Element == ResponseFuture<Success> {
        FutureValuesSequence(base: self, order: .sequence, limit: limit)
    }
}
