import Foundation

/// The buffer between a transfer and the reader of its body: carries out the decisions of ``StreamState``.
final class StreamBuffer: Sendable {
    private typealias State = StreamState<CheckedContinuation<Void, Never>>

    /// The handle of the transfer. An engine may deliver chunks before it has returned the handle.
    private struct Transfer: Sendable {
        var handle: (any TransferHandle)?
        /// Whether a pause was wanted before the handle was there.
        var hasMissedPause = false
    }

    private let state = Locked(State())
    private let transfer = Locked(Transfer())
    /// Whether a handle that is attached later is to be cancelled.
    private let isUnwanted = Locked(false)
    /// Its scopes until it is read.
    private let memberships = Locked<[ScopeMembership]>([])
    /// The alarms that end the transfer at a deadline; they end with the transfer.
    private let timers = Locked<[DeadlineAlarm]>([])

    /// Locked while the file is written or read, which waits only for the disk. Lock it before `state`, never after it.
    private let spill = Locked<SpillFile?>(nil)

    private let onWait: (@Sendable () -> Void)?

    /// - Parameter onWait: is called each time that the reader waits, for a transfer that delivers nothing before.
    init(onWait: (@Sendable () -> Void)? = nil) {
        self.onWait = onWait
    }

    // MARK: The transfer

    /// Gets the handle of the transfer.
    func attach(_ handle: any TransferHandle) {
        let hasMissedPause = transfer.withLock { transfer in
            transfer.handle = handle
            defer { transfer.hasMissedPause = false }
            return transfer.hasMissedPause
        }
        // The transfer may have ended before its handle was there.
        if state.withLock({ $0.isOver }) { releaseHandle() }
        // The reader may be gone by now.
        if isUnwanted.withLock({ $0 }) { handle.cancel() }
        if hasMissedPause { steer(pauses: true) }
    }

    /// A chunk has arrived.
    func append(_ chunk: Data) {
        switch state.withLock({ $0.arrived(chunk) }) {
        case .kept(let waiters, let pauses):
            if pauses { steer(pauses: true) }
            wake(waiters)
        case .spill(let pauses):
            if pauses { steer(pauses: true) }
            do {
                let waiters = try spill.withLock { file in
                    let target = try file ?? SpillFile()
                    file = target
                    try target.append(chunk)
                    let waiters = state.withLock { $0.spilled(chunk.count) }
                    if waiters == nil { file = nil }
                    return waiters ?? []
                }
                wake(waiters)
            } catch {
                fail(error)
            }
        case .dropped:
            break
        }
    }

    /// The measurements of the transfer, once it is complete.
    var metrics: TransferMetrics? { state.withLock { $0.metrics } }

    /// The transfer was measured, and is about to finish.
    func setMetrics(_ metrics: TransferMetrics) {
        state.withLock { $0.setMetrics(metrics) }
    }

    /// The transfer is over.
    func finish(_ error: (any Error)?) {
        let waiters = state.withLock { $0.finish(error) }
        // After that, so that a handle attached in between is released, either here or in `attach`.
        releaseHandle()
        cancelTimers()
        wake(waiters)
    }

    /// Fails the body, and cancels the transfer.
    func fail(_ error: any Error) {
        // A handle that is attached later is cancelled in `attach`.
        isUnwanted.withLock { $0 = true }
        let handle = handle
        finish(error)
        handle?.cancel()
    }

    /// Ends the transfer with an error at the deadline, unless it has ended by then.
    func fail(at deadline: Deadline, with error: any Error) {
        let timer = deadline.alarm { [self] clockFailure in
            if clockFailure == nil { fail(error) }
        }
        timers.withLock { $0.append(timer) }
        if state.withLock({ $0.isOver }) { cancelTimers() }
    }

    /// Holds the membership of a scope until the body is read: what has arrived is not for the next user, either.
    func hold(_ membership: ScopeMembership) {
        memberships.withLock { $0.append(membership) }
        if state.withLock({ $0.isRead }) { leaveScopes() }
    }

    /// The scopes that it belongs to.
    var scopes: [ScopeMembers] { memberships.withLock { $0.map(\.members) } }

    private func leaveScopes() {
        memberships.release { memberships in
            defer { memberships = [] }
            return memberships
        }
    }

    // MARK: The reader

    /// The next chunk, or `nil` at the end.
    ///
    /// A cancelled task gets a `CancellationError`, and the transfer is cancelled.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            while true {
                try Task.checkCancellation()
                if let next = try nextAtHand() { return next }
                onWait?()
                await withCheckedContinuation { continuation in
                    state.withLock { $0.wait(continuation) }?.resume()
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The same without waiting; `.none` if neither a chunk nor the end is there.
    func nextAtHand() throws -> Data?? {
        while true {
            switch state.withLock({ $0.demand() }) {
            case .chunk(let chunk, let resumes):
                if resumes { steer(pauses: false) }
                return .some(chunk)
            case .unspill:
                // Another reader may have taken it.
                if let chunk = try unspill() { return .some(chunk) }
            case .end(let error):
                leaveScopes()
                if let error { throw error }
                return .some(nil)
            case .wait: return .none
            }
        }
    }

    /// Whether the reader is gone, or a scope has cancelled the body, which brings nothing more then.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// The reader is gone, or a scope ends: cancels the transfer, unless it is over.
    func cancel() {
        isUnwanted.withLock { $0 = true }
        let handle = handle
        // Before the engine reports the end: the reader is to know that this isn't the body's.
        let waiters = state.withLock { $0.abandon() }
        // After that, so that a scope added in between is left, either here or in `hold`.
        leaveScopes()
        handle?.cancel()
        spill.withLock { $0 = nil }
        cancelTimers()
        wake(waiters)
    }

    // MARK: -

    private var handle: (any TransferHandle)? { transfer.withLock { $0.handle } }

    /// Outside the lock: the deinit of a handle belongs to the engine, and may report another event.
    private func releaseHandle() {
        transfer.release { $0.handle.take() }
    }

    /// Pauses or resumes the transfer. If another thread has wanted the opposite meanwhile, its call came too early,
    /// and is repeated here.
    private func steer(pauses: Bool) {
        var pauses = pauses
        while true {
            let handle = transfer.withLock { transfer in
                transfer.hasMissedPause = pauses && transfer.handle == nil
                return transfer.handle
            }
            if pauses { handle?.pause() } else { handle?.resume() }
            let isPaused = state.withLock { $0.isPaused }
            if isPaused == pauses { return }
            pauses = isPaused
        }
    }

    private func cancelTimers() {
        let timers = timers.withLock { timers in
            defer { timers = [] }
            return timers
        }
        for timer in timers { timer.cancel() }
    }

    private func wake(_ waiters: [CheckedContinuation<Void, Never>]) {
        for waiter in waiters { waiter.resume() }
    }

    /// The next part of the file; `nil` if another reader has taken it.
    private func unspill() throws -> Data? {
        let (chunk, resumes) = try spill.withLock { file -> (Data?, Bool) in
            guard let chunk = try file?.read() else { return (nil, false) }
            let (isUsedUp, resumes) = state.withLock { $0.unspilled(chunk.count) }
            if isUsedUp { file = nil }
            return (chunk, resumes)
        }
        if resumes { steer(pauses: false) }
        return chunk
    }
}
