extension ResponseFuture {
    /// The results of many futures, in the order of the futures, when all have ended.
    ///
    /// ```swift
    /// let results = try await ResponseFuture.whenAllComplete(uploads, limit: 4).value
    /// ```
    ///
    /// All are started together, or at most `limit` at a time. A failure is a result, and cancels no other future. So
    /// is a cancellation of one of the futures, whatever cancelled it: a failure with `CancellationError`, as in
    /// `resultsInOrder(limit:)` and `indexedResultsInCompletionOrder(limit:)`. Cancelling the result cancels the
    /// futures in which nobody else is interested (contract rules UP and SHARED). Updates of all are passed on. No
    /// futures give an empty array.
    ///
    /// swift-nio: `whenAllComplete`; PromiseKit: `when(resolved:)`. A join that the first failure ends is
    /// `ResponseFuture<[Value]>(childFutures:limit:)`.
    ///
    /// - Parameters:
    ///   - futures: the futures.
    ///   - limit: how many may run at once; less than one counts as one.
    public static func whenAllComplete<Value>(
        _ futures: [ResponseFuture<Value>], limit: Int? = nil
    ) -> ResponseFuture<Success> where Success == [Result<Value, any Error>] {
        ResponseFuture(childFutures: futures.map { $0.anyResult() }, limit: limit)
    }

    /// The outcome as a value, whatever it is.
    private func anyResult() -> ResponseFuture<Result<Success, any Error>> {
        ResponseFuture<Result<Success, any Error>>(
            parent: self,
            transform: { link, context in
                try ResponseFuture<Success>.resultOfParent(of: link, in: &context, includesCancellations: true)
            })
    }
}
