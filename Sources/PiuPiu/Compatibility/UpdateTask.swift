#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

// Sound: it has nothing but constants, of which one is behind a lock.

/// A request as its updates describe it, for callbacks that name `URLSessionTask`.
///
/// It is of no session, so nothing of it may reach Foundation's own workings: each method that would is overridden.
final class UpdateTask: URLSessionTask, @unchecked Sendable {
    private struct Picture {
        var transfer = TransferProgress()
        var state = URLSessionTask.State.running
    }

    private let picture = Locked(Picture())
    private let cancelFuture: @Sendable () -> Void

    // Foundation has deprecated tasks without a session; PiuPiu 1.x handed out such for its mocks.
    @available(*, deprecated)
    init(cancelFuture: @escaping @Sendable () -> Void) {
        self.cancelFuture = cancelFuture
        super.init()
    }

    /// Takes what an update tells.
    ///
    /// - Returns: whether that is worth an update.
    func take(_ update: TransferUpdate) -> Bool {
        picture.withLock { picture in
            if update.isEnd {
                defer { picture.state = .completed }
                return picture.state != .completed
            }
            picture.transfer = update.progress
            if update.isWhole { picture.state = .completed }
            return true
        }
    }

    private var transfer: TransferProgress { picture.withLock(\.transfer) }

    override var countOfBytesSent: Int64 { transfer.bytesSent }
    override var countOfBytesExpectedToSend: Int64 { transfer.bytesExpectedToSend ?? 0 }
    override var countOfBytesReceived: Int64 { transfer.bytesReceived }
    override var countOfBytesExpectedToReceive: Int64 { transfer.bytesExpectedToReceive ?? 0 }
    override var state: URLSessionTask.State { picture.withLock(\.state) }

    override func cancel() {
        picture.withLock { if $0.state == .running { $0.state = .canceling } }
        cancelFuture()
    }

    override func suspend() {}
    override func resume() {}
}

extension TransferUpdate {
    /// Whether all of a response is there whose length is known.
    fileprivate var isWhole: Bool {
        guard stage == .received, let expected = progress.bytesExpectedToReceive else { return false }
        return progress.bytesReceived >= expected
    }
}

/// The tasks that one `updated` callback is called with: one for each transfer.
@available(*, deprecated)
@MainActor
final class UpdateTasks {
    /// The source is kept beside its task, as its identity would be that of another if it were gone.
    private var tasks: [ObjectIdentifier: (source: any AnyObject & Sendable, task: UpdateTask)] = [:]
    /// What those updates are of that an action reports through a future that it was not given.
    private let unknown = TransferSource()
    private let cancelFuture: @Sendable () -> Void

    nonisolated init(cancelFuture: @escaping @Sendable () -> Void) {
        self.cancelFuture = cancelFuture
    }

    /// The task to call the callback with, if the update tells something.
    func task(toTell update: TransferUpdate) -> URLSessionTask? {
        // That is between two of them.
        switch update.stage {
        case .retrying, .cacheHit: return nil
        case .started, .sent, .responded, .received: break
        }
        let source = update.source ?? unknown
        if let task = source as? URLSessionTask { return task }
        let task = task(of: source)
        return task.take(update) ? task : nil
    }

    private func task(of source: any AnyObject & Sendable) -> UpdateTask {
        if let known = tasks[ObjectIdentifier(source)] { return known.task }
        let task = UpdateTask(cancelFuture: cancelFuture)
        tasks[ObjectIdentifier(source)] = (source, task)
        return task
    }
}
