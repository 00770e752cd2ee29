/// The actor behind an observed future: one that was sent, awaited, cancelled, shared, or given a callback.
///
/// It owns the run: the task that does the work, the checked continuations of those who wait, who is interested, the
/// callbacks and, at the end, the outcome. All of this stands behind one lock, because half of those who come are
/// synchronous (`send()`, `cancel()`, `succeed(with:)`, `status`, a delegate): a message to the actor in a task of its
/// own would overtake another, and an awaiter on the main actor would pay two thread switches to read what is already
/// there. The decisions are those of ``FutureStateMachine`` and ``CallbackQueue``. What waits for something, the
/// delivery to callbacks that are not bound to the main actor, is isolated to the actor.
///
/// Futures that nobody observes, such as the inner links of a chain, have none of this.
@usableFromInline
package actor FutureRun: UpdateReceiver {
    @usableFromInline typealias Outcome = FutureOutcome<any FutureValue>
    @usableFromInline typealias Machine = FutureStateMachine<any FutureValue, Awaiter<Outcome>>

    struct State: Sendable {
        var machine = Machine()
        var callbacks: FutureCallbacks?
        /// The tasks that work for this future: its own, or those of the futures that fulfill it.
        var works = ShortList<Task<Void, Never>>()
        var isOwnWorkDone = false
        /// The greatest share of the transfer that an update has told of.
        var highestShare: Float = 0
        /// The task that works for this future, while nobody has a handle for it.
        var startingWork: StartingTask?
        /// The future of a legacy action stays while the action's work goes on, whoever else lets go of it.
        var keptAlive: AnyResponseFuture?
    }

    nonisolated let state: Locked<State>

    @usableFromInline
    init() {
        state = Locked(State())
    }

    @usableFromInline
    nonisolated var status: FutureStatus { state.withLock { $0.machine.status } }

    @usableFromInline
    nonisolated var settledOutcome: Outcome? {
        state.withLock { state in
            if case .settled(let outcome) = state.machine.phase { outcome } else { nil }
        }
    }

    // MARK: Starting

    /// Starts for the callbacks' sake; true if the caller must launch the work.
    @usableFromInline
    nonisolated func send() -> Bool {
        let (mustLaunch, effects) = state.withLock { state in
            let mustLaunch = state.machine.send()
            return (mustLaunch, state.deliveriesToBegin())
        }
        perform(effects)
        return mustLaunch
    }

    /// Registers an awaiter.
    @usableFromInline
    nonisolated func join() -> Machine.Join {
        let (join, effects) = state.withLock { state in
            let join = state.machine.join(listener: nil)
            return (join, state.deliveriesToBegin())
        }
        perform(effects)
        return join
    }

    /// Registers a child, whose operator takes over the callbacks (contract rule SLOT) unless this future was sent for
    /// their sake.
    @usableFromInline
    nonisolated func join(child: any UpdateReceiver, isReserved: Bool) -> Machine.Join {
        let (join, effects) = state.withLock { state in
            if !state.machine.isSent, !state.machine.isSettled { state.callbacks?.slots.keepCompletionsOnly() }
            let join = state.machine.join(listener: child, isReserved: isReserved)
            return (join, state.deliveriesToBegin())
        }
        perform(effects)
        return join
    }

    /// Takes charge of a task that works for this future: it is cancelled when the future ends without it.
    @usableFromInline
    nonisolated func adopt(_ work: Task<Void, Never>) {
        let isTooLate = state.withLock { state in
            state.startingWork = nil
            if !state.machine.isSettled { state.works.append(work) }
            return state.machine.isSettled && !state.isOwnWorkDone
        }
        if isTooLate { Trampoline.cancel(work) }
    }

    /// Takes charge of the task that calls this, until it is adopted by its handle.
    @usableFromInline
    nonisolated func adoptCurrentTask() {
        guard let work = StartingTask.current else { return }
        let isTooLate = state.withLock { state in
            if !state.machine.isSettled { state.startingWork = work }
            return state.machine.isSettled
        }
        if isTooLate { work.cancel() }
    }

    /// Keeps the future itself until it settles.
    @usableFromInline
    nonisolated func keepAlive(_ future: AnyResponseFuture) {
        state.withLock { state in
            if !state.machine.isSettled { state.keptAlive = future }
        }
    }

    // MARK: Waiting

    /// Suspends until the future settles, or until the task that waits is cancelled (contract rule DOWN).
    @usableFromInline
    nonisolated func outcome(for id: Machine.InterestID) async -> Outcome {
        await withTaskCancellationHandler {
            await suspend(id)
        } onCancel: {
            leave(id)
        }
    }

    /// The same for whoever has to launch the work.
    ///
    /// - Parameter launch: starts the work if told so, or else lets go of it; gives the outcome if it is there at once.
    @usableFromInline
    nonisolated func outcome(for id: Machine.InterestID, launching launch: (Bool) -> Outcome?) async -> Outcome {
        await withTaskCancellationHandler {
            if let outcome = launch(!status.isComplete) { return outcome }
            return await suspend(id)
        } onCancel: {
            leave(id)
        }
    }

    private nonisolated func suspend(_ id: Machine.InterestID) async -> Outcome {
        await withCheckedContinuation { continuation in
            let awaiter = Awaiter(continuation)
            if let outcome = state.withLock({ $0.machine.wait(id, resumption: awaiter) }) {
                awaiter.resume(returning: outcome)
            }
        }
    }

    /// The outcome for a child, which has a place reserved.
    @usableFromInline
    nonisolated func outcome(reservedFor child: any UpdateReceiver) async -> Outcome {
        switch state.withLock({ $0.machine.takeReservation(of: child) }) {
        case .settled(let outcome): outcome
        case .wait(let id): await outcome(for: id)
        case .launch(let id): abandon(id)
        }
    }

    /// Nobody has started the future, and nobody else will.
    private nonisolated func abandon(_ id: Machine.InterestID) -> Outcome {
        leave(id)
        return .cancelled
    }

    private nonisolated func leave(_ id: Machine.InterestID) {
        let (interest, effects) = state.withLock { state -> (Machine.Interest?, Effects?) in
            switch state.machine.leave(id) {
            case .unknown: (nil, nil)
            case .resume(let interest): (interest, nil)
            case .last(let interest, let settlement): (interest, state.didSettle(settlement))
            }
        }
        interest?.resumption?.resume(returning: .cancelled)
        perform(effects)
    }

    // MARK: Ending

    /// Settles, if nobody did before (contract rule SETTLE), and cancels the work that goes on.
    ///
    /// - Parameter byWork: whether the future's own work has come to its end with this.
    /// - Returns: whether this was the first settlement.
    @usableFromInline @discardableResult
    nonisolated func settle(_ outcome: Outcome, byWork: Bool = false) -> Bool {
        let effects: Effects? = state.withLock { state in
            guard let settlement = state.machine.settle(outcome) else { return nil }
            if byWork { state.letGoOfOwnWork() }
            return state.didSettle(settlement)
        }
        perform(effects)
        return effects != nil
    }

    /// The future of a legacy action whose work goes on, if this is the run of one.
    nonisolated var runningFuture: AnyResponseFuture? { state.withLock { $0.keptAlive } }

    /// Cancels; true if the work had not begun, and so must never begin.
    nonisolated func cancel() -> Bool {
        let (isBeforeStart, effects) = state.withLock { state -> (Bool, Effects?) in
            let hadUndelivered = state.machine.isSettled && state.withCallbacks { $0.cancelUndelivered() }
            return switch state.machine.cancel(hadUndelivered: hadUndelivered) {
            case .beforeStart(let settlement): (true, state.didSettle(settlement))
            case .whileRunning(let settlement): (false, state.didSettle(settlement))
            case .beforeDelivery, .ignored: (false, nil)
            }
        }
        perform(effects)
        return isBeforeStart
    }

    // MARK: Updates

    /// The greatest share of the transfer that an update has told of, from 0 to 1.
    nonisolated var highestShare: Float { state.withLock { $0.highestShare } }

    @usableFromInline
    package nonisolated func take(_ update: TransferUpdate) -> [any UpdateReceiver] {
        let (listeners, effects) = state.withLock { state -> ([any UpdateReceiver], FutureCallbacks.Effects?) in
            guard case .running = state.machine.phase else { return ([], nil) }
            if let share = update.percentTransferred { state.highestShare = max(state.highestShare, share) }
            state.callbacks?.slots.enqueue(update)
            state.callbacks?.observers.enqueue(update)
            return (state.machine.listeners, state.deliveriesToBegin())
        }
        perform(effects)
        return listeners
    }
}
