extension ResponseFuture {
    /// The progress of the transfer as an `AsyncSequence`, for a progress bar: that of ``updates(bufferingPolicy:)``.
    ///
    /// ```swift
    /// let film = dispatcher.downloadFuture(from: request, to: file)
    /// async let response = film.value
    /// for await progress in film.progressUpdates() { bar.progress = progress.percentReceived ?? 0 }
    /// play(try await response.data)
    /// ```
    ///
    /// It is an observer: it neither starts nor retains the future, and ends with it, whatever the outcome.
    ///
    /// - Parameter bufferingPolicy: what to buffer for a consumer that is slower than the transfer; by default only the
    ///   newest progress.
    public func progressUpdates(
        bufferingPolicy: AsyncStream<TransferUpdate>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> some AsyncSequence<TransferProgress, Never> & Sendable {
        updates(bufferingPolicy: bufferingPolicy).map(\.progress)
    }
}
