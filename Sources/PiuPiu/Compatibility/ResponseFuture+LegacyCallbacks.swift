#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Callbacks and their promise side, in the spellings of PiuPiu 1.4 and 1.11.
extension ResponseFuture {
    /// The same as ``success(_:)``, and the same slot.
    @available(*, deprecated, renamed: "success(_:)")
    @preconcurrency
    public func response(_ callback: @escaping @MainActor (Success) throws -> Void) -> ResponseFuture<Success> {
        success(callback)
    }

    // Disfavoured: a closure that doesn't name the type of its parameter gets a `TransferUpdate`.

    /// Called when the work has come a step further, with a task that looks as that of PiuPiu 1.11 did: the same slot
    /// as ``updated(_:)-(_)``, and the same rules.
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
    /// numbers of bytes sent and received at the last of them, and with them `percentTransferred` and its kin; its
    /// `state` is `.running`, and `.completed` when all of the response is there or the request has failed (an update more
    /// tells that where the length was unknown). `cancel()` cancels the future; `suspend()` and `resume()` do nothing. It
    /// has neither requests nor a response, and an identifier of 0. A task that an action reported through
    /// ``update(with:)-(URLSessionTask)`` arrives as it is.
    @available(
        *, deprecated,
        message: "The parameter is a TransferUpdate now, with the same percentTransferred: don't name URLSessionTask."
    )
    @_disfavoredOverload
    @preconcurrency
    public func updated(_ callback: @escaping @MainActor (URLSessionTask) -> Void) -> ResponseFuture<Success> {
        let tasks = UpdateTasks { [weak run] in _ = run?.cancel() }
        return updatedAndEnded { update in
            if let task = tasks.task(toTell: update) { callback(task) }
        }
    }

    /// Tells the `updated` callbacks how far a task has come: makes a ``TransferUpdate`` of what the task has counted.
    ///
    /// On Linux only the task of a download counts its bytes; with another, report ``TransferUpdate`` values of your
    /// own.
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

    /// Starts `future` and settles this one with whatever it ends with: `future.fulfill(self)`.
    @available(*, deprecated, message: "The roles are the other way round: write other.fulfill(future).")
    public func fulfill(by future: ResponseFuture<Success>) {
        future.fulfill(self)
    }

    /// Starts `future` and settles this one with whatever it ends with: `future.fulfill(self)`.
    @available(*, deprecated, message: "The roles are the other way round: write other.fulfill(future).")
    public func fulfill(with future: ResponseFuture<Success>) {
        future.fulfill(self)
    }
}
