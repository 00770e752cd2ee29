extension FutureRun {
    /// What a change of state leaves to do outside the lock.
    @usableFromInline
    package struct Aftermath: Sendable {
        let run: FutureRun
        var settlement: Machine.Settlement?
        /// Somebody who has left without an outcome.
        var departed: Party?
        var sources = ShortList<Source>()
        var cancelledWork: WorkTask?
        var deliveries = FutureCallbacks.Deliveries()
        /// Streams of updates that end.
        var endedOnlookers: [FutureCallbacks.UpdateStream] = []
        var released: Released?

        init(of run: FutureRun) {
            self.run = run
        }
    }

    /// What is released outside the lock, as its end may call back.
    struct Released: Sendable {
        var owner: AnyResponseFuture?
        var callbacks: FutureCallbacks.Discarded?
    }

    /// Does what changes have left to do: first all states change, and then those who wait are notified, so that all say
    /// so by then (contract rule UP). A loop, as a million futures may depend on each other (DEPTH).
    static func perform(_ aftermath: Aftermath?) {
        guard let aftermath else { return }
        var all: [Aftermath] = []
        aftermath.collect(&all)
        perform(all: all, after: aftermath)
    }

    static func perform(all aftermaths: [Aftermath], after first: Aftermath? = nil) {
        var all = aftermaths
        var next = 0
        while next < all.count {
            all[next].collect(&all)
            next += 1
        }
        first?.notify()
        for aftermath in all { aftermath.notify() }
    }
}

extension FutureRun.Aftermath {
    /// Changes the states of others that depend on this.
    fileprivate func collect(_ further: inout [FutureRun.Aftermath]) {
        sources.forEach { further += $0.giveUp() }
        guard let settlement else { return }
        settlement.interests.forEach { party in
            switch party {
            case .awaiter, .child: break
            case .target(let future):
                if let aftermath = future.run.settling(settlement.outcome) { further.append(aftermath) }
            case .observer(let observer, let place):
                further += observer.didSettle(place, with: settlement.outcome)
            }
        }
    }

    fileprivate func notify() {
        departed?.resume(with: .cancelled)
        if let settlement { settlement.interests.forEach { $0.resume(with: settlement.outcome) } }
        for onlooker in endedOnlookers { onlooker.finish() }
        run.begin(deliveries)
        if let cancelledWork { Trampoline.cancel(cancelledWork) }
    }
}

extension Party {
    fileprivate func resume(with outcome: FutureRun.Outcome) {
        switch self {
        case .awaiter(let awaiter), .child(_, let awaiter): awaiter?.resume(returning: outcome)
        case .target: break
        case .observer(let observer, _): observer.resumeWaiters()
        }
    }
}

extension FutureRun {
    /// Takes the outcome to the callbacks, and gives up all that was needed for it.
    func didSettle(_ settlement: Machine.Settlement) -> Aftermath {
        var aftermath = Aftermath(of: self)
        if let callbacks {
            callbacks.settle(settlement.outcome)
            aftermath.endedOnlookers = callbacks.takeOnlookers()
        }
        aftermath.settlement = settlement
        aftermath.sources = sources
        sources = ShortList()
        aftermath.cancelledWork = work.take()
        finishChange(&aftermath)
        return aftermath
    }

    /// Adds what any change may leave to do: deliveries that are due, and what nobody needs any more.
    func finishChange(_ aftermath: inout Aftermath) {
        var released = Released()
        if let callbacks {
            aftermath.deliveries = callbacks.deliveriesToBegin(isStarted: machine.status != .created)
            released.callbacks = callbacks.takeDiscarded()
        }
        if machine.isSettled, callbacks?.isIdle ?? true { released.owner = owner.take() }
        if released.owner != nil || released.callbacks != nil { aftermath.released = released }
    }

    /// The same for a change that leaves nothing else.
    func changed() -> Aftermath? {
        guard callbacks != nil || owner != nil else { return nil }
        var aftermath = Aftermath(of: self)
        finishChange(&aftermath)
        return aftermath
    }
}
