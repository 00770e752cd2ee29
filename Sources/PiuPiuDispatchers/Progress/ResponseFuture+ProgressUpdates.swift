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
    /// It only observes: it doesn't start the future, and ends with it, whatever the outcome. The sequence retains the
    /// future; an iterator doesn't.
    ///
    /// - Parameter bufferingPolicy: what to buffer for a consumer that is slower than the transfer; by default only the
    ///   newest progress.
    public func progressUpdates(
        bufferingPolicy: AsyncStream<TransferUpdate>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> some AsyncSequence<TransferProgress, Never> & Sendable {
        updates(bufferingPolicy: bufferingPolicy).map(\.progress)
    }
}
