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
    @usableFromInline typealias Awaiter = CheckedContinuation<Outcome, Never>
    @usableFromInline typealias Machine = FutureStateMachine<any FutureValue, Awaiter>

    struct State: Sendable {
        var machine = Machine()
        var slots = CallbackQueue<any FutureValue, MainActorCallback>()
        var observers = CallbackQueue<any FutureValue, IsolatedCallback>()
        /// What is to be cancelled with the future.
        var work: Task<Void, Never>?
        /// The future of a legacy action stays while the action's work goes on, whoever else lets go of it.
        var keptAlive: AnyResponseFuture?
        /// The delivery that waits for something to deliver, one for each family.
        var idleSlotDelivery: CheckedContinuation<Void, Never>?
        var idleObserverDelivery: CheckedContinuation<Void, Never>?
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
            if !state.machine.isSent { state.slots.keepCompletionsOnly() }
            let join = state.machine.join(listener: child, isReserved: isReserved)
            return (join, state.deliveriesToBegin())
        }
        perform(effects)
        return join
    }

    /// Takes up the place that was reserved for the child when it was started.
    @usableFromInline
    nonisolated func takeReservation(of child: any UpdateReceiver) -> Machine.Join {
        state.withLock { $0.machine.takeReservation(of: child) }
    }

    /// Takes charge of the task that works for this future: it is cancelled with it.
    @usableFromInline
    nonisolated func adopt(_ work: Task<Void, Never>) {
        let isTooLate = state.withLock { state -> Bool in
            guard !state.machine.isSettled else { return state.machine.status == .cancelled }
            state.work = work
            return false
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
            await withCheckedContinuation { (awaiter: Awaiter) in
                if let outcome = state.withLock({ $0.machine.wait(id, resumption: awaiter) }) {
                    awaiter.resume(returning: outcome)
                }
            }
        } onCancel: {
            leave(id)
        }
    }

    private nonisolated func leave(_ id: Machine.InterestID) {
        let (resumption, effects) = state.withLock { state -> (Awaiter?, Effects?) in
            switch state.machine.leave(id) {
            case .unknown: (nil, nil)
            case .resume(let resumption): (resumption, nil)
            case .last(let resumption, let settlement): (resumption, state.didSettle(settlement))
            }
        }
        resumption?.resume(returning: .cancelled)
        perform(effects)
    }

    // MARK: Ending

    /// Settles, if nobody did before (contract rule SETTLE).
    @usableFromInline
    nonisolated func settle(_ outcome: Outcome) {
        perform(
            state.withLock { state in
                state.machine.settle(outcome).map { state.didSettle($0) }
            })
    }

    /// Cancels; true if the work had not begun, and so must never begin.
    nonisolated func cancel() -> Bool {
        let (isBeforeStart, effects) = state.withLock { state -> (Bool, Effects?) in
            var hadUndelivered = false
            if state.machine.isSettled {
                let slots = state.slots.cancelUndelivered()
                let observers = state.observers.cancelUndelivered()
                hadUndelivered = slots || observers
            }
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

    @usableFromInline
    package nonisolated func receive(_ update: TransferUpdate) {
        let (listeners, effects) = state.withLock { state -> ([any UpdateReceiver], Effects?) in
            guard case .running = state.machine.phase else { return ([], nil) }
            state.slots.enqueue(update)
            state.observers.enqueue(update)
            return (state.machine.listeners, state.deliveriesToBegin())
        }
        perform(effects)
        for listener in listeners { listener.receive(update) }
    }
}
