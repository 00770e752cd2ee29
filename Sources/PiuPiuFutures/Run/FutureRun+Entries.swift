/// The entry points that change a run.
extension FutureRun {
    // MARK: Starting

    /// Starts, and delivers to the callbacks; true if the caller must launch the work.
    @usableFromInline
    nonisolated func send(retaining future: AnyResponseFuture) -> Bool {
        let (mustLaunch, aftermath) = enter(future) { run, future -> (Bool, Aftermath?) in
            let mustLaunch = run.machine.send()
            if !run.machine.isSettled || run.callbacks?.isIdle == false { run.retain(future) }
            return (mustLaunch, run.changed())
        }
        Self.perform(aftermath)
        return mustLaunch
    }

    /// Gives a task a token for this future.
    @usableFromInline
    nonisolated func joinAsAwaiter() -> FutureJoin<any FutureValue> { join(.runningTask) }

    /// Gives a party a token for this future.
    nonisolated func join(_ party: Party) -> Machine.Join {
        enter(party) { run, party in run.machine.join(party) }
    }

    /// The same for a future that is made from this one. Its operator discards the callbacks (contract rule SLOT),
    /// unless this future was sent.
    ///
    /// One that has settled changes nothing here. That is decided under this lock: once its `cancel()` has returned, it
    /// begins nothing any more (EARLY).
    nonisolated func join(below party: Party) -> Machine.Join {
        let (join, aftermath) = enter(party) { run, party -> (Machine.Join, Aftermath?) in
            if party.isOfSettledFuture { return (.settled(.cancelled), nil) }
            if !run.machine.isSent, !run.machine.isSettled { run.callbacks?.slots.keepCompletionsOnly() }
            return (run.machine.join(party), run.changed())
        }
        Self.perform(aftermath)
        return join
    }

    /// Retains the future, whose legacy action begins, until it settles and its last callback has run.
    nonisolated func beginAction(of future: AnyResponseFuture) {
        enter(future) { run, future in
            guard !run.machine.isSettled else { return }
            run.retain(future)
            run.mark(.actionBegun)
        }
    }

    /// Retains the future until its last callback has run (contract rule RETAIN), but not a promise: its release tells
    /// that nobody will settle the future (NEVER-HANG).
    func retain(_ future: AnyResponseFuture) {
        // Never replaced: that would release the former under the lock. There is only one but for the promise.
        if owner == nil, future.kind != .promise { owner = future }
    }

    /// The only future of a promise is released: if it was never started, its callbacks will never run, and no scope
    /// has it as a member.
    nonisolated func leaveUnsent() {
        var (discarded, onlookers, memberships) = enter(()) {
            run, _ -> (FutureCallbacks.Discarded?, [FutureCallbacks.UpdateStream], [ScopeMembership]?) in
            guard run.machine.status == .created else { return (nil, [], nil) }
            let memberships = run.memberships
            run.memberships = []
            guard let callbacks = run.callbacks else { return (nil, [], memberships) }
            return (callbacks.takeAll(), callbacks.takeOnlookers(), memberships)
        }
        for onlooker in onlookers { onlooker.finish() }
        Trampoline.release(&discarded)
        Trampoline.release(&memberships)
    }

    // MARK: Working

    /// Registers a task that works for this future, to cancel it when the future ends without it.
    @usableFromInline
    package nonisolated func adopt(_ task: Task<Void, Never>) {
        let (isTooLate, priority) = enter(task) { run, task in
            if run.machine.isSettled { return (!run.has(.workEnded), UInt8(0)) }
            if run.work == nil { run.work = .handle(task) }
            return (false, run.priority)
        }
        if isTooLate { Trampoline.cancel([WorkTask.handle(task)]) }
        if let priority = Self.missedPriority(priority) { WorkTask.handle(task).escalate(to: priority) }
    }

    /// Registers the current task, whose handle nobody has before it suspends.
    @usableFromInline
    nonisolated func adoptCurrentTask() {
        guard let task = CurrentTask() else { return }
        let worker = task.reference.identity
        let (isTooLate, priority) = enter((WorkTask.itself(task), worker)) { run, task in
            if !run.machine.isSettled { (run.work, run.worker) = task }
            return (run.machine.isSettled, run.priority)
        }
        if isTooLate { task.reference.cancel() }
        if let priority = Self.missedPriority(priority) { WorkTask.itself(task).escalate(to: priority) }
    }

    /// Registers the name of the current task. Its maker registers the handle, but may be slower: work that begins after
    /// a cancellation, or after its priority was raised, must begin as that work, and one that goes on must be in reach
    /// of the next cancellation.
    @usableFromInline
    nonisolated func noteCurrentTask() {
        let (isTooLate, priority) = enter(TaskIdentity.current ?? .none) { run, worker in
            if !run.machine.isSettled {
                run.worker = worker
                if run.work == nil { run.work = CurrentTask().map(WorkTask.itself) }
            }
            return (run.machine.isSettled, run.priority)
        }
        // Sound: the task is used only within the closure.
        if isTooLate { withUnsafeCurrentTask { $0?.cancel() } }
        Self.escalateCurrentTask(to: priority)
    }

    /// Names the current task as the one that this future's work waits for: if it awaits the future, neither ever ends.
    nonisolated func noteHelper() {
        enter(TaskIdentity.current ?? .none) { run, helper in
            if !run.machine.isSettled { run.worker = helper }
        }
    }

    /// Registers a token, or the parts of a join; false if it is too late, and the caller must give it up.
    nonisolated func hold(_ source: Source) -> Bool {
        let priority: UInt8? = enter(source) { run, source in
            if run.machine.isSettled { return nil }
            run.sources.append(source)
            return run.priority
        }
        guard let priority else { return false }
        if let priority = Self.missedPriority(priority) { Self.escalate(source.escalate(to: priority), to: priority) }
        return true
    }

    /// Forgets a token for a future that has settled.
    nonisolated func drop(_ id: InterestID, for source: FutureRun) {
        enter((id, source)) { run, token in
            _ = run.sources.take { held in
                if case .token(let held) = held { held.run === token.1 && held.id == token.0 } else { false }
            }
        }
    }

    // MARK: Leaving and ending

    /// Gives up a token.
    nonisolated func leave(_ id: InterestID) {
        Self.perform(leaving(id))
    }

    nonisolated func leaving(_ id: InterestID) -> Aftermath? {
        enter(id) { run, id in
            switch run.machine.leave(id) {
            case .unknown:
                return nil
            case .left(let party):
                var aftermath = Aftermath(of: run)
                aftermath.departed = party
                return aftermath
            case .last(let party, let settlement):
                var aftermath = run.didSettle(settlement)
                aftermath.departed = party
                return aftermath
            }
        }
    }

    /// Settles, if nothing did before (contract rule SETTLE), and cancels the running work.
    ///
    /// - Returns: whether this was the first settlement.
    @discardableResult
    package nonisolated func settle(_ outcome: Outcome) -> Bool { settleByPromise(outcome).isFirst }

    nonisolated func settling(_ outcome: Outcome) -> Aftermath? {
        enter(outcome) { run, outcome -> Aftermath? in
            guard let settlement = run.machine.settle(outcome) else { return nil }
            return run.didSettle(settlement)
        }
    }

    /// Settles from outside the work.
    ///
    /// - Returns: whether this was the first settlement, and the future, if its legacy action had begun.
    @usableFromInline
    nonisolated func settleByPromise(_ outcome: Outcome) -> (isFirst: Bool, owner: AnyResponseFuture?) {
        let end = settle(outcome, isWork: false)
        if end.hasObservers { begin(.observers) }
        return (end.isFirst, end.owner)
    }

    /// Settles with the outcome of the future's own work, which ends with this.
    ///
    /// - Returns: whether this was the first settlement, and whether the caller has to deliver it to the observers.
    @usableFromInline
    nonisolated func settleByWork(_ outcome: Outcome) -> (isFirst: Bool, hasObservers: Bool) {
        let end = settle(outcome, isWork: true)
        return (end.isFirst, end.hasObservers)
    }

    /// Whether work can begin, or end, without a task of its own.
    @usableFromInline
    enum CallbackReadiness {
        case ready
        /// Not without a task, with the highest priority of an awaiter: others than a few awaiters have to be notified.
        case needsTask(UInt8)
        /// The future has settled.
        case tooLate
    }

    /// Registers work that can begin without a task.
    @usableFromInline
    nonisolated func adoptUnlessTaskNeeded(_ work: any AnyObject & CancellableWork) -> CallbackReadiness {
        enter(work) { run, work in
            if run.machine.isSettled { return .tooLate }
            guard run.hasOnlyAwaiters else { return .needsTask(run.priority) }
            run.work = .callback(work)
            return .ready
        }
    }

    /// Forgets work that could not begin without a task.
    @usableFromInline
    nonisolated func forget(_ work: any AnyObject & CancellableWork) {
        enter(work) { run, work in
            if case .callback(let known) = run.work, known === work { run.work = nil }
        }
    }

    /// How many awaiters are resumed without a task at most.
    private static let fewAwaiters = 8

    /// Whether a few awaiters are all that has to be notified.
    private var hasOnlyAwaiters: Bool {
        guard callbacks == nil, !machine.isSent, sources.isEmpty, memberships.isEmpty else { return false }
        var count = 0
        var arePlain = true
        machine.interests.forEach { party in
            count += 1
            arePlain = arePlain && party.isPlainAwaiter
        }
        return arePlain && count <= Self.fewAwaiters
    }

    /// Settles with the outcome of the future's own work, on a thread that is not for the code of others. If a task is
    /// needed for that, it changes nothing.
    @usableFromInline
    nonisolated func settleForAwaiters(_ outcome: Outcome) -> CallbackReadiness {
        let (readiness, settlement, work) = enter(outcome) {
            run, outcome -> (CallbackReadiness, Machine.Settlement?, WorkTask?) in
            guard !run.machine.isSettled else {
                run.mark(.workEnded)
                return (.tooLate, nil, nil)
            }
            guard run.hasOnlyAwaiters else { return (.needsTask(run.priority), nil, nil) }
            run.mark([.workEnded, .settled])
            return (.ready, run.machine.settle(outcome), run.work.take())
        }
        if let settlement { Resumptions.resume { settlement.interests.forEach { $0.resume(with: outcome) } } }
        // Released outside the lock: it may retain the engine.
        withExtendedLifetime(work) {}
        return readiness
    }

    /// The work has ended, and a task with this priority will settle the future. It is raised with the future.
    @usableFromInline
    nonisolated func finish(in task: Task<Void, Never>, with priority: TaskPriority) {
        let (former, highest) = enter(task) { run, task -> (WorkTask?, UInt8) in
            guard !run.machine.isSettled else { return (nil, 0) }
            let former = run.work
            run.work = .handle(task)
            return (former, run.priority)
        }
        if highest > priority.rawValue { WorkTask.handle(task).escalate(to: TaskPriority(rawValue: highest)) }
        withExtendedLifetime(former) {}
    }

    private struct End {
        var isFirst = false
        /// Retained until the lock is released, because its deinit runs user code.
        var owner: AnyResponseFuture?
        /// The same.
        var work: WorkTask?
        var hasBegunAction = false
        /// The only interested party.
        var party: Party?
        var deliveries: FutureCallbacks.Deliveries = []
        var aftermath: Aftermath?
    }

    /// - Returns: whether this was the first settlement, whether the caller has to deliver it to the observers, and the
    ///   future, if its legacy action had begun.
    private nonisolated func settle(
        _ outcome: Outcome, isWork: Bool
    ) -> (isFirst: Bool, hasObservers: Bool, owner: AnyResponseFuture?) {
        let end = enter((outcome, isWork)) { run, cause in
            var end = End(owner: run.owner, hasBegunAction: run.has(.actionBegun))
            if cause.1 {
                run.mark(.workEnded)
                end.work = run.work.take()
                run.worker = .none
            }
            // A faster path for most futures, which have one waiting party at most, or callbacks.
            if run.hasNothingToGiveUp, let party = run.machine.settleForSoleParty(cause.0) {
                end.isFirst = true
                end.party = party
                end.deliveries = run.didSettleSimply(with: cause.0)
            } else if let settlement = run.machine.settle(cause.0) {
                end.isFirst = true
                end.aftermath = run.didSettle(settlement)
            }
            return end
        }
        var deliveries = end.deliveries
        if let party = end.party {
            let further = party.didSettle(with: outcome)
            // A cancellation is notified when all that is being cancelled on this thread is.
            if case .cancelled = outcome, Trampoline.isRunning || !further.isEmpty {
                Self.perform(all: further)
                Trampoline.afterCancellations { party.resume(with: outcome) }
            } else {
                // This delivery begins before that of the future that this one settles: see `Aftermath.notify()`.
                if deliveries.remove(.slots) != nil { begin(.slots) }
                party.resume(with: outcome)
                if !further.isEmpty { Self.perform(all: further) }
            }
        }
        var hasObservers = false
        if end.aftermath != nil {
            // With its observers, who wait for no handler of a cancellation (contract rule PROMPT).
            Self.perform(end.aftermath)
        } else {
            hasObservers = deliveries.remove(.observers) != nil
            begin(deliveries)
        }
        return withExtendedLifetime(end) { (end.isFirst, hasObservers, end.hasBegunAction ? end.owner : nil) }
    }

    /// What a cancellation leaves to do outside the lock.
    struct Cancellation: Sendable {
        /// Whether the work had not begun, and so must never begin.
        let isBeforeStart: Bool
        let aftermath: Aftermath?
        /// To release outside the lock.
        let undelivered: [Outcome]
    }

    /// Cancels; true if the work had not begun, and so must never begin.
    package nonisolated func cancel() -> Bool {
        let cancellation = cancelling()
        Self.perform(cancellation.aftermath)
        // Released only now: an error of the user's may be among them.
        return withExtendedLifetime(cancellation.undelivered) { cancellation.isBeforeStart }
    }

    /// Changes the state to cancelled.
    nonisolated func cancelling() -> Cancellation {
        enter(()) { run, _ in
            let undelivered = run.machine.isSettled ? run.callbacks?.cancelUndelivered() ?? [] : []
            let (isBeforeStart, aftermath): (Bool, Aftermath?) =
                switch run.machine.cancel(hadUndelivered: !undelivered.isEmpty) {
                case .beforeStart(let settlement): (true, run.didSettle(settlement))
                case .whileRunning(let settlement): (false, run.didSettle(settlement))
                case .beforeDelivery, .ignored: (false, run.changed())
                }
            return Cancellation(isBeforeStart: isBeforeStart, aftermath: aftermath, undelivered: undelivered)
        }
    }
}
