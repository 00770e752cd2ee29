public import Foundation

extension ResponseFuture {
    /// The transfer as Foundation's `Progress`, for a progress bar, or as a child of another one.
    ///
    /// ```swift
    /// let film = dispatcher.downloadFuture(from: request, to: file)
    /// progressView.observedProgress = film.foundationProgress()
    /// film.success { play($0.data) }.send()
    /// ```
    ///
    /// It counts the bytes sent and received of the expected bytes, and is indeterminate while their number is unknown.
    /// `isFinished` comes with the future's value, not with the last byte. Its `cancel()` cancels the future (on Linux
    /// a moment later, from another thread), and so does the `cancel()` of a parent `Progress`. A cancellation of the
    /// future cancels it. After an error it keeps its last state. If a chain sends several requests, it shows the one
    /// that reported last: make a `Progress` of each part, and add them to your own.
    ///
    /// It is an observer: it doesn't start the future, and neither retains the other. Each call makes a new one. It
    /// changes only on the main actor; read it there, as on Linux `Progress` has no lock.
    public func foundationProgress() -> Progress {
        let progress = Progress.discreteProgress(totalUnitCount: -1)
        progress.isCancellable = true
        // The run outlives the future during the delivery of the outcome.
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
    package func show(_ transfer: TransferProgress) {
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
        // Never finished: neither between the two changes, nor before the future has its value.
        let completed = min(Self.sum(expected.map { min($0.0, $0.1) }), total - 1)
        if total > completedUnitCount {
            totalUnitCount = total
            completedUnitCount = completed
        } else {
            completedUnitCount = completed
            totalUnitCount = total
        }
    }

    /// Finishes it, with the total that it has shown last.
    package func finish() {
        totalUnitCount = max(1, totalUnitCount, completedUnitCount)
        completedUnitCount = totalUnitCount
    }

    /// The sum of the counts that aren't negative; a server may announce lengths whose sum overflows.
    private static func sum(_ counts: [Int64]) -> Int64 {
        counts.reduce(0) { sum, count in
            let (next, isOverflow) = sum.addingReportingOverflow(max(0, count))
            return isOverflow ? .max : next
        }
    }
}
