import Foundation

/// What lies between a transfer and the reader of its body: carries out what ``StreamState`` decides.
final class StreamBuffer: Sendable {
    private typealias State = StreamState<CheckedContinuation<Void, Never>>

    /// What the transfer is given up and held up with. An engine may bring chunks before it has returned that.
    private struct Transfer: Sendable {
        var handle: (any TransferHandle)?
        /// Whether it was to be held up before.
        var hasMissedPause = false
    }

    private let state = Locked(State())
    private let transfer = Locked(Transfer())
    private let isAbandoned = Locked(false)
    private let measured = Locked<TransferMetrics?>(nil)
    /// The scopes that it belongs to until the transfer is over.
    private let memberships = Locked<[ScopeMembership]>([])
    /// What ends the transfer at an instant: gone with it.
    private let timers = Locked<[DeadlineAlarm]>([])

    /// Held while the file is written or read, which waits for nothing but the disk; before `state`, never after it.
    private let spill = Locked<SpillFile?>(nil)

    // MARK: The transfer

    /// Takes what the transfer can be given up and held up with.
    func attach(_ handle: any TransferHandle) {
        let hasMissedPause = transfer.withLock { transfer in
            transfer.handle = handle
            defer { transfer.hasMissedPause = false }
            return transfer.hasMissedPause
        }
        // It may have been over before it was known.
        if state.withLock({ $0.isOver }) { releaseHandle() }
        // Nobody may be left to read it by now, or want to.
        if isAbandoned.withLock({ $0 }) { handle.cancel() }
        if hasMissedPause { steer(pauses: true) }
    }

    /// A chunk has arrived.
    func append(_ chunk: Data) {
        switch state.withLock({ $0.arrived(chunk) }) {
        case .kept(let waiters, let pauses):
            if pauses { steer(pauses: true) }
            wake(waiters)
        case .spill:
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

    /// What was measured of the transfer, once it is complete.
    var metrics: TransferMetrics? { measured.withLock { $0 } }

    /// The transfer was measured, and is about to finish.
    func setMetrics(_ metrics: TransferMetrics) {
        measured.withLock { $0 = metrics }
    }

    /// The transfer is over.
    func finish(_ error: (any Error)?) {
        // Before the reader can know, and once more, as it may be bound in between.
        leaveScopes()
        let waiters = state.withLock { $0.finish(error) }
        // After that, so that a handle which is attached in between is released, here or there.
        releaseHandle()
        cancelTimers()
        leaveScopes()
        wake(waiters)
    }

    /// What arrives is no use: the transfer is given up.
    func fail(_ error: any Error) {
        // A handle that is attached later is cancelled there.
        isAbandoned.withLock { $0 = true }
        let handle = handle
        finish(error)
        handle?.cancel()
    }

    /// Ends the transfer with an error when the time is over, unless it has ended by then.
    func fail(at deadline: Deadline, with error: any Error) {
        let timer = deadline.alarm { [self] clockFailure in
            if clockFailure == nil { fail(error) }
        }
        timers.withLock { $0.append(timer) }
        if state.withLock({ $0.isOver }) { cancelTimers() }
    }

    /// Belongs to a scope until the transfer is over.
    func hold(_ membership: ScopeMembership) {
        memberships.withLock { $0.append(membership) }
        if state.withLock({ $0.isOver }) { leaveScopes() }
    }

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
                switch state.withLock({ $0.demand() }) {
                case .chunk(let chunk, let resumes):
                    if resumes { steer(pauses: false) }
                    return chunk
                case .unspill:
                    if let chunk = try unspill() { return chunk }
                case .end(let error):
                    if let error { throw error }
                    return nil
                case .wait:
                    await withCheckedContinuation { continuation in
                        state.withLock { $0.wait(continuation) }?.resume()
                    }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Nobody reads any more: the transfer is cancelled, unless it is over.
    func cancel() {
        isAbandoned.withLock { $0 = true }
        leaveScopes()
        handle?.cancel()
        let waiters = state.withLock { $0.abandon() }
        spill.withLock { $0 = nil }
        cancelTimers()
        wake(waiters)
    }

    // MARK: -

    private var handle: (any TransferHandle)? { transfer.withLock { $0.handle } }

    /// Outside the lock: the end of a handle is the engine's business, and may tell of another event.
    private func releaseHandle() {
        transfer.release { $0.handle.take() }
    }

    /// Holds the transfer up, or lets it go on. The other may have been asked for on another thread before that took
    /// effect: it came too early then.
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
