public import Foundation

extension ResponseFuture {
    /// The transfer as Foundation's `Progress`, for a progress bar, or as a part of a greater one.
    ///
    /// ```swift
    /// let film = dispatcher.downloadFuture(from: request, to: file)
    /// progressView.observedProgress = film.foundationProgress()
    /// film.success { play($0.data) }.send()
    /// ```
    ///
    /// It counts the bytes sent and received of those that are expected, and is indeterminate while none is known to
    /// be. `isFinished` comes with the future's value and not with the last byte. Its `cancel()` cancels the future (on
    /// Linux a moment later, from another thread), as does that of a `Progress` that it has been added to as a child; in
    /// turn it is cancelled with the future. After an error it stays where it was. Where a chain sends several requests it
    /// shows the one that has reported last: make a `Progress` of each part, and add those to one of your own.
    ///
    /// An onlooker: it neither starts the future, nor keeps it, nor is kept by it. Each call makes another one. It is
    /// changed on the main actor only; read it there, as on Linux `Progress` has no lock.
    public func foundationProgress() -> Progress {
        let progress = Progress.discreteProgress(totalUnitCount: -1)
        progress.isCancellable = true
        // The run outlives the future while its outcome is being delivered.
        progress.cancellationHandler = { [weak self, weak run] in
            if let self { cancel() } else { _ = run?.cancel() }
        }
        _ = onUpdate { @MainActor [weak progress] in progress?.show($0.progress) }
        _ = onSuccess { @MainActor [weak progress] _ in progress?.finish() }
        _ = onCancellation { @MainActor [weak progress] in
            progress?.cancellationHandler = nil
            progress?.cancel()
        }
        _ = onCompletion { @MainActor [weak progress] in
            progress?.cancellationHandler = nil
            progress?.isCancellable = false
        }
        return progress
    }
}

extension Progress {
    /// Shows an unfinished transfer; never a total of zero, which ends the process inside Foundation on Linux.
    fileprivate func show(_ transfer: TransferProgress) {
        let expected = [
            (transfer.bytesSent, transfer.bytesExpectedToSend ?? 0),
            (transfer.bytesReceived, transfer.bytesExpectedToReceive ?? 0),
        ].filter { $0.1 > 0 }
        let total = Self.sum(expected.map(\.1))
        guard total > 0 else {
            totalUnitCount = -1
            completedUnitCount = Self.sum([transfer.bytesSent, transfer.bytesReceived])
            return
        }
        // Unfinished at each moment: between the two changes too, and until the future has its value.
        let completed = min(Self.sum(expected.map { min($0.0, $0.1) }), total - 1)
        if total > completedUnitCount {
            totalUnitCount = total
            completedUnitCount = completed
        } else {
            completedUnitCount = completed
            totalUnitCount = total
        }
    }

    fileprivate func finish() {
        totalUnitCount = max(1, totalUnitCount, completedUnitCount)
        completedUnitCount = totalUnitCount
    }

    /// The sum of what isn't negative; a server may announce lengths whose sum is no `Int64`.
    private static func sum(_ counts: [Int64]) -> Int64 {
        counts.reduce(0) { sum, count in
            let (next, isOverflow) = sum.addingReportingOverflow(max(0, count))
            return isOverflow ? .max : next
        }
    }
}
