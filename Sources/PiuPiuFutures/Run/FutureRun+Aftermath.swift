extension FutureRun {
    /// What is to be done outside the lock after a change of state. Small, because it is copied often.
    @usableFromInline
    package struct Aftermath: Sendable {
        let run: FutureRun
        /// A party that has left without an outcome.
        var departed: Party?
        var deliveries: FutureCallbacks.Deliveries = []
        /// The future, to release outside the lock, because its deinit may call back.
        var owner: AnyResponseFuture?
        /// Items that most changes don't have.
        var rest: Rest?

        init(of run: FutureRun) {
            self.run = run
        }

        /// Whether it notifies of a cancellation, and so only when all abandoned work is cancelled.
        var isCancellation: Bool {
            if departed != nil { return true }
            if case .cancelled = rest?.settlement?.outcome { return true }
            return false
        }
    }

    /// The rarely used part of an ``Aftermath``.
    final class Rest: Sendable {
        let settlement: Machine.Settlement?
        let sources: ShortList<Source>
        let cancelledWork: WorkTask?
        /// Streams of updates that end.
        let endedOnlookers: [FutureCallbacks.UpdateStream]
        /// What to release outside the lock, as the owner.
        let discarded: FutureCallbacks.Discarded?
        let memberships: [ScopeMembership]

        init(
            settlement: Machine.Settlement? = nil, sources: ShortList<Source> = ShortList(),
            cancelledWork: WorkTask? = nil, endedOnlookers: [FutureCallbacks.UpdateStream] = [],
            discarded: FutureCallbacks.Discarded?, memberships: [ScopeMembership]
        ) {
            self.settlement = settlement
            self.sources = sources
            self.cancelledWork = cancelledWork
            self.endedOnlookers = endedOnlookers
            self.discarded = discarded
            self.memberships = memberships
        }
    }

    /// Performs what a change has left to do. First all dependent states change, so that every future has its new status
    /// when somebody is notified (contract rule UP). A value or an error is delivered next: it waits for no handler of a
    /// cancellation (PROMPT). Then abandoned work is cancelled, and last those are notified for whom it is a
    /// cancellation: the cancelled work changes nothing that they see.
    ///
    /// A loop, as a million futures may depend on each other (DEPTH). Where other work is being cancelled on this
    /// thread, all of it is cancelled before a cancellation is notified.
    static func perform(_ aftermath: Aftermath?) {
        guard let aftermath else { return }
        var all: [Aftermath] = []
        aftermath.collect(&all)
        guard all.isEmpty else { return perform(all: [aftermath] + all, isCollected: 1) }
        let work = aftermath.rest?.cancelledWork.map { [$0] } ?? []
        if aftermath.isCancellation { return Trampoline.cancel(work, then: aftermath.notify) }
        aftermath.notify()
        if !work.isEmpty { Trampoline.cancel(work) }
    }

    /// Performs what several changes have left to do, in the order of the changes.
    ///
    /// Their work is cancelled in the opposite order: a request in flight that is cancelled gives its place to the next
    /// in the queue, which would be sent only to be cancelled in its turn (contract rule L4).
    ///
    /// - Parameter isCollected: how many of them have had their dependent states changed.
    static func perform(all aftermaths: [Aftermath], isCollected: Int = 0) {
        var all = aftermaths
        var next = isCollected
        while next < all.count {
            all[next].collect(&all)
            next += 1
        }
        for aftermath in all where !aftermath.isCancellation { aftermath.notify() }
        let cancellations = all.filter(\.isCancellation)
        Trampoline.cancel(all.compactMap { $0.rest?.cancelledWork }) {
            for aftermath in cancellations { aftermath.notify() }
        }
    }
}

extension FutureRun.Aftermath {
    /// Changes the states of dependent runs.
    fileprivate func collect(_ further: inout [FutureRun.Aftermath]) {
        guard let rest else { return }
        rest.sources.forEach { further += $0.giveUp() }
        guard let settlement = rest.settlement else { return }
        settlement.interests.forEach { party in
            let aftermaths = party.didSettle(with: settlement.outcome)
            if !aftermaths.isEmpty { further += aftermaths }
        }
    }

    fileprivate func notify() {
        // This delivery begins before those of the futures that this one settles. When there are several callbacks, the
        // rest of them takes turns with the others (TURN).
        let early: FutureCallbacks.Deliveries = isCancellation ? [] : .slots
        run.begin(deliveries.intersection(early))
        departed?.resume(with: .cancelled)
        if let rest {
            if let settlement = rest.settlement {
                settlement.interests.forEach { $0.resume(with: settlement.outcome) }
            }
            for onlooker in rest.endedOnlookers { onlooker.finish() }
        }
        run.begin(deliveries.subtracting(early))
    }
}

extension FutureRun {
    /// Passes the outcome to the callbacks, and gives up everything that was needed for it.
    func didSettle(_ settlement: Machine.Settlement) -> Aftermath {
        mark(.settled)
        var aftermath = Aftermath(of: self)
        callbacks?.settle(settlement.outcome)
        aftermath.deliveries = deliveriesToBegin
        let endedOnlookers = callbacks?.takeOnlookers() ?? []
        let (discarded, memberships) = release(in: &aftermath)
        aftermath.rest = Rest(
            settlement: settlement, sources: sources, cancelledWork: work.take(), endedOnlookers: endedOnlookers,
            discarded: discarded, memberships: memberships)
        sources = ShortList()
        return aftermath
    }

    /// Whether a settlement only has to notify the interested parties and the callbacks, and to release the owner.
    var hasNothingToGiveUp: Bool {
        guard work == nil, sources.isEmpty, memberships.isEmpty else { return false }
        guard let callbacks else { return true }
        return !callbacks.hasOnlookers && !callbacks.hasDiscarded
    }

    /// Passes the outcome to the callbacks, and gives up what is not needed for them, if there is
    /// ``hasNothingToGiveUp`` else. The caller retains the owner until it has released the lock.
    ///
    /// - Returns: the deliveries to begin.
    func didSettleSimply(with outcome: Outcome) -> FutureCallbacks.Deliveries {
        mark(.settled)
        guard let callbacks else {
            owner = nil
            return []
        }
        callbacks.settle(outcome)
        let deliveries = deliveriesToBegin
        dropSpentCallbacks()
        if callbacks.isIdle { owner = nil }
        return deliveries
    }

    /// What is left to do after a change that settles nothing: mostly nothing.
    func changed() -> Aftermath? {
        if let callbacks {
            let mayDeliver = machine.status != .created && callbacks.canBeginDelivery
            let isOver = machine.isSettled && callbacks.isIdle
            guard mayDeliver || isOver || callbacks.hasDiscarded else { return nil }
        } else if owner == nil || !machine.isSettled {
            return nil
        }
        var aftermath = Aftermath(of: self)
        aftermath.deliveries = deliveriesToBegin
        let (discarded, memberships) = release(in: &aftermath)
        if discarded != nil || !memberships.isEmpty {
            aftermath.rest = Rest(discarded: discarded, memberships: memberships)
        }
        return aftermath.deliveries.isEmpty && aftermath.owner == nil && aftermath.rest == nil ? nil : aftermath
    }

    private var deliveriesToBegin: FutureCallbacks.Deliveries {
        callbacks?.deliveriesToBegin(isStarted: machine.status != .created) ?? []
    }

    /// Takes out what is no longer needed.
    private func release(in aftermath: inout Aftermath) -> (FutureCallbacks.Discarded?, [ScopeMembership]) {
        let discarded = callbacks?.takeDiscarded()
        dropSpentCallbacks()
        guard machine.isSettled, callbacks?.isIdle ?? true else { return (discarded, []) }
        aftermath.owner = owner.take()
        let memberships = self.memberships
        self.memberships = []
        // Under this lock, so that a caller that sees the end of the future finds that it has left. The lock of a scope
        // is never held where this one is taken.
        for membership in memberships { membership.leave() }
        return (discarded, memberships)
    }

    private func dropSpentCallbacks() {
        guard let callbacks, callbacks.isSpent else { return }
        self.callbacks = nil
        mark(.callbacksCalled)
    }
}
