#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Callbacks, and the methods that feed them, in the spellings of PiuPiu 1.4 and 1.11.
extension ResponseFuture {
    /// The same as ``success(_:)``, and the same slot.
    @available(*, deprecated, renamed: "success(_:)")
    @preconcurrency
    public func response(_ callback: @escaping @MainActor (Success) throws -> Void) -> ResponseFuture<Success> {
        success(callback)
    }

    // Disfavoured: a closure that doesn't name the type of its parameter gets a `TransferUpdate`.

    /// Called with each progress, as a task like that of PiuPiu 1.11: the same slot as ``updated(_:)-(_)``, and the
    /// same rules.
    ///
    /// ```swift
    /// var tasks: Set<URLSessionTask> = []
    /// posts.updated { (task: URLSessionTask) in
    ///     self.tasks.insert(task)
    ///     self.bar.progress = self.tasks.averagePercentTransferred ?? 0
    /// }
    /// ```
    ///
    /// There is one task for each request of the chain or the join, the same object in each of its updates. It has the
    /// numbers of bytes sent and received at the last update, and so `percentTransferred` and the like. Its `state` is
    /// `.running`, then `.completed` when the response is complete, or when the request or the future has failed or was
    /// cancelled; in the callback it is that of the update, which may arrive later. If the length was unknown, as after
    /// a status 204, one more update than in PiuPiu 1.11 brings that state. Its `progress` counts the same bytes, is
    /// indeterminate while no length is known, and is finished with that state. It changes only on the main actor. Its
    /// `cancel()` cancels the future (on Linux a moment later, from another thread), and so does that of the task. A
    /// failure or a cancellation of the future cancels it, unless it is finished. The task's `suspend()` and `resume()`
    /// do nothing. The task has neither requests nor a response. Its `taskIdentifier` is that of no other task of this
    /// kind, and greater than those of a session's tasks. A task that an action reported through
    /// ``update(with:)-(URLSessionTask)`` arrives unchanged.
    @available(
        *, deprecated,
        message: "The parameter is a TransferUpdate now, with the same percentTransferred: don't name URLSessionTask."
    )
    @_disfavoredOverload
    @preconcurrency
    public func updated(_ callback: @escaping @MainActor (URLSessionTask) -> Void) -> ResponseFuture<Success> {
        let tasks = UpdateTasks(
            cancelFuture: { [weak run] in _ = run?.cancel() },
            hasFailed: { [weak run] in [.error, .cancelled].contains(run?.status) })
        return updatedAndEnded { update in tasks.show(update, to: callback) }
            .onFailure { @MainActor _ in tasks.showFailure() }
            .onCancellation { @MainActor in tasks.showFailure() }
    }

    /// Notifies the `updated` callbacks of the progress of a task, with a ``TransferUpdate`` made from its counts.
    ///
    /// On Linux only the task of a download counts its bytes; for another one, report your own ``TransferUpdate``
    /// values.
    @available(*, deprecated, message: "Use update(with: TransferUpdate), with the counts that you know.")
    public func update(with task: URLSessionTask) {
        let progress = task.transferProgress
        let stage: TransferUpdate.Stage =
            if progress.bytesReceived > 0 {
                .received
            } else if task.response != nil {
                .responded
            } else if progress.bytesSent > 0 {
                .sent
            } else {
                .started
            }
        update(with: TransferUpdate(stage: stage, progress: progress).of(task))
    }

    /// Starts `future` and settles this one with its outcome: `future.fulfill(self)`.
    @available(*, deprecated, message: "The roles are the other way round: write other.fulfill(future).")
    public func fulfill(by future: ResponseFuture<Success>) {
        future.fulfill(self)
    }

    /// Starts `future` and settles this one with its outcome: `future.fulfill(self)`.
    @available(*, deprecated, message: "The roles are the other way round: write other.fulfill(future).")
    public func fulfill(with future: ResponseFuture<Success>) {
        future.fulfill(self)
    }
}
