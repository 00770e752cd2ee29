import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Sound: it has only constants. What changes is behind a lock, or on the main actor.

/// A task made from the updates of a request, for callbacks that name `URLSessionTask`.
///
/// It belongs to no session, so no method may reach Foundation's implementation: each one that would is overridden.
final class UpdateTask: URLSessionTask, @unchecked Sendable {
    private struct Picture {
        var transfer = TransferProgress()
        var state = URLSessionTask.State.running
        /// Whether the callback has been called with its end.
        var isEndShown = false
    }

    /// Sessions number their own tasks, which a callback may receive, too, from 1 on.
    private static let lastIdentifier = Locked(1_000_000_000)

    private let identifier = UpdateTask.lastIdentifier.withLock { last in
        last += 1
        return last
    }
    private let picture = Locked(Picture())
    private let shown = Progress.discreteProgress(totalUnitCount: -1)
    private let cancelFuture: @Sendable () -> Void
    /// Whether the future has failed, or was cancelled: then it has no more updates, not even of the end.
    private let hasFailed: @Sendable () -> Bool

    // Foundation has deprecated tasks without a session; the mocks of PiuPiu 1.x used them.
    @available(*, deprecated)
    init(cancelFuture: @escaping @Sendable () -> Void, hasFailed: @escaping @Sendable () -> Bool) {
        self.cancelFuture = cancelFuture
        self.hasFailed = hasFailed
        super.init()
        shown.isCancellable = true
        shown.cancellationHandler = { [weak self] in self?.cancel() }
    }

    /// Applies an update.
    ///
    /// - Returns: whether the callback needs to be called.
    @MainActor
    func take(_ update: TransferUpdate) -> Bool {
        let needsCall = picture.withLock { picture in
            if update.isEnd {
                defer { (picture.state, picture.isEndShown) = (.completed, true) }
                return !picture.isEndShown
            }
            picture.transfer = update.progress
            if update.isWhole { (picture.state, picture.isEndShown) = (.completed, true) }
            return true
        }
        show()
        return needsCall
    }

    /// Brings the `Progress` up to date, outside the lock: its observers run here, and may read the counts.
    @MainActor
    private func show() {
        // Once finished it stays so: its parent has counted it.
        guard !shown.isFinished else { return }
        shown.show(transfer)
        if state == .completed { shown.finish() }
    }

    /// The future has failed, or was cancelled, and its updates end.
    @MainActor
    func showFailure() {
        picture.withLock { $0.state = .completed }
        shown.cancellationHandler = nil
        if !shown.isFinished { shown.cancel() }
    }

    private var transfer: TransferProgress { picture.withLock(\.transfer) }

    override var countOfBytesSent: Int64 { transfer.bytesSent }
    override var countOfBytesExpectedToSend: Int64 { transfer.bytesExpectedToSend ?? 0 }
    override var countOfBytesReceived: Int64 { transfer.bytesReceived }
    override var countOfBytesExpectedToReceive: Int64 { transfer.bytesExpectedToReceive ?? 0 }
    // A callback may ask before `showFailure` has its turn.
    override var state: URLSessionTask.State { hasFailed() ? .completed : picture.withLock(\.state) }
    override var progress: Progress { shown }
    override var taskIdentifier: Int { identifier }

    override func cancel() {
        picture.withLock { if $0.state == .running { $0.state = .canceling } }
        cancelFuture()
    }

    override func suspend() {}
    override func resume() {}
}

extension TransferUpdate {
    /// Whether the response is complete, as far as its length is known: with its head, if that announces no bytes.
    fileprivate var isWhole: Bool {
        guard stage == .responded || stage == .received, let expected = progress.bytesExpectedToReceive else {
            return false
        }
        return progress.bytesReceived >= expected
    }
}

/// The tasks for one `updated` callback: one for each transfer.
@available(*, deprecated)
@MainActor
final class UpdateTasks {
    /// Each source is retained beside its task: after its release another object could get its identity.
    private var tasks: [ObjectIdentifier: (source: any AnyObject & Sendable, task: UpdateTask)] = [:]
    /// The source of updates without one, which an action reports through a future other than its own.
    private let unknown = TransferSource()
    private let cancelFuture: @Sendable () -> Void
    private let hasFailed: @Sendable () -> Bool
    private let isInUpdate: Locked<Bool>

    nonisolated init(cancelFuture: @escaping @Sendable () -> Void, hasFailed: @escaping @Sendable () -> Bool) {
        let isInUpdate = Locked(false)
        self.cancelFuture = cancelFuture
        // An update may arrive after the failure. Its callback sees how things were at that update.
        self.hasFailed = { !isInUpdate.withLock(\.self) && hasFailed() }
        self.isInUpdate = isInUpdate
    }

    /// Calls the callback with the task of the update, with the update applied; not if the update needs no call.
    func show(_ update: TransferUpdate, to callback: @MainActor (URLSessionTask) -> Void) {
        isInUpdate.withLock { $0 = true }
        defer { isInUpdate.withLock { $0 = false } }
        if let task = task(applying: update) { callback(task) }
    }

    private func task(applying update: TransferUpdate) -> URLSessionTask? {
        // These two come between tasks.
        switch update.stage {
        case .retrying, .cacheHit: return nil
        case .started, .sent, .responded, .received: break
        }
        let source = update.source ?? unknown
        if let task = source as? URLSessionTask { return task }
        let task = task(of: source), needsCall = task.take(update)
        // A future may have any number of them in its time.
        if update.isEnd { tasks[ObjectIdentifier(source)] = nil }
        return needsCall ? task : nil
    }

    /// The future has failed, or was cancelled.
    func showFailure() {
        for (_, task) in tasks.values { task.showFailure() }
    }

    private func task(of source: any AnyObject & Sendable) -> UpdateTask {
        if let known = tasks[ObjectIdentifier(source)] { return known.task }
        let task = UpdateTask(cancelFuture: cancelFuture, hasFailed: hasFailed)
        tasks[ObjectIdentifier(source)] = (source, task)
        return task
    }
}
