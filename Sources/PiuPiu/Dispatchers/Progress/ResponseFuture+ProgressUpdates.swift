extension ResponseFuture {
    /// How far the transfer has come, as an `AsyncSequence`: that of ``updates(bufferingPolicy:)``, for a progress bar.
    ///
    /// ```swift
    /// let film = dispatcher.downloadFuture(from: request, to: file)
    /// async let response = film.value
    /// for await progress in film.progressUpdates() { bar.progress = progress.percentReceived ?? 0 }
    /// play(try await response.data)
    /// ```
    ///
    /// An onlooker, which neither starts the future nor keeps it, and ends with it, whatever the outcome is.
    ///
    /// - Parameter bufferingPolicy: what to keep for a consumer that is slower than the transfer; by default the newest
    ///   progress only.
    public func progressUpdates(
        bufferingPolicy: AsyncStream<TransferUpdate>.Continuation.BufferingPolicy = .bufferingNewest(1)
    ) -> some AsyncSequence<TransferProgress, Never> & Sendable {
        updates(bufferingPolicy: bufferingPolicy).map(\.progress)
    }
}
