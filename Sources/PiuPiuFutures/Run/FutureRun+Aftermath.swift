extension FutureRun {
    /// What is to be done outside the lock after a change of state.
    @usableFromInline
    package struct Aftermath: Sendable {
        let run: FutureRun
        var settlement: Machine.Settlement?
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
    }

    /// The rarely used part of an ``Aftermath``, apart because an ``Aftermath`` is copied often.
    final class Rest: Sendable {
        let sources: ShortList<Source>
        let cancelledWork: WorkTask?
        /// Streams of updates that end.
        let endedOnlookers: [FutureCallbacks.UpdateStream]
        /// What to release outside the lock, as the owner.
        let discarded: FutureCallbacks.Discarded?
        let memberships: [ScopeMembership]

        init(
            sources: ShortList<Source> = ShortList(), cancelledWork: WorkTask? = nil,
            endedOnlookers: [FutureCallbacks.UpdateStream] = [], discarded: FutureCallbacks.Discarded?,
            memberships: [ScopeMembership]
        ) {
            self.sources = sources
            self.cancelledWork = cancelledWork
            self.endedOnlookers = endedOnlookers
            self.discarded = discarded
            self.memberships = memberships
        }
    }

    /// Performs what a change has left to do. First all dependent states change, then abandoned work is cancelled, and
    /// last the waiting parties are notified. So every future has its new status when they see it (contract rule UP),
    /// and the cancelled work changes nothing that they see. A loop, as a million futures may depend on each other
    /// (DEPTH).
    static func perform(_ aftermath: Aftermath?) {
        guard let aftermath else { return }
        var all: [Aftermath] = []
        aftermath.collect(&all)
        guard !all.isEmpty else {
            aftermath.cancelWork()
            return aftermath.notify()
        }
        perform(all: all, before: aftermath.cancelWork, after: aftermath.notify)
    }

    static func perform(all aftermaths: [Aftermath], before cancelWork: () -> Void = {}, after notify: () -> Void = {})
    {
        var all = aftermaths
        var next = 0
        while next < all.count {
            all[next].collect(&all)
            next += 1
        }
        cancelWork()
        for aftermath in all { aftermath.cancelWork() }
        notify()
        for aftermath in all { aftermath.notify() }
    }
}

extension FutureRun.Aftermath {
    /// Changes the states of dependent runs.
    fileprivate func collect(_ further: inout [FutureRun.Aftermath]) {
        rest?.sources.forEach { further += $0.giveUp() }
        guard let settlement else { return }
        settlement.interests.forEach { party in
            let aftermaths = party.didSettle(with: settlement.outcome)
            if !aftermaths.isEmpty { further += aftermaths }
        }
    }

    fileprivate func notify() {
        departed?.resume(with: .cancelled)
        if let settlement { settlement.interests.forEach { $0.resume(with: settlement.outcome) } }
        if let rest { for onlooker in rest.endedOnlookers { onlooker.finish() } }
        run.begin(deliveries)
    }

    fileprivate func cancelWork() {
        if let work = rest?.cancelledWork { Trampoline.cancel(work) }
    }
}

extension FutureRun {
    /// Passes the outcome to the callbacks, and gives up everything that was needed for it.
    func didSettle(_ settlement: Machine.Settlement) -> Aftermath {
        var aftermath = Aftermath(of: self)
        aftermath.settlement = settlement
        guard !hasNothingToGiveUp || owner != nil else { return aftermath }
        callbacks?.settle(settlement.outcome)
        aftermath.deliveries = deliveriesToBegin
        let endedOnlookers = callbacks?.takeOnlookers() ?? []
        let (discarded, memberships) = release(in: &aftermath)
        let hasReleased = discarded != nil || !memberships.isEmpty
        if hasReleased || !sources.isEmpty || work != nil || !endedOnlookers.isEmpty {
            aftermath.rest = Rest(
                sources: sources, cancelledWork: work.take(), endedOnlookers: endedOnlookers, discarded: discarded,
                memberships: memberships)
            sources = ShortList()
        }
        return aftermath
    }

    /// Whether a settlement only has to notify the interested parties and release the owner.
    var hasNothingToGiveUp: Bool { callbacks == nil && work == nil && sources.isEmpty && memberships.isEmpty }

    /// What is left to do after a change that settles nothing.
    func changed() -> Aftermath? {
        guard callbacks != nil || owner != nil else { return nil }
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
        if callbacks?.isSpent == true {
            callbacks = nil
            marks.insert(.callbacksCalled)
        }
        guard machine.isSettled, callbacks?.isIdle ?? true else { return (discarded, []) }
        aftermath.owner = owner.take()
        let memberships = self.memberships
        self.memberships = []
        // Under this lock, so that a caller that sees the end of the future finds that it has left. The lock of a scope
        // is never held where this one is taken.
        for membership in memberships { membership.leave() }
        return (discarded, memberships)
    }
}
