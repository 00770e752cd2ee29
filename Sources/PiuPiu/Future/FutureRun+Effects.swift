extension FutureRun {
    /// What a change of state leaves to do outside the lock.
    struct Effects {
        var settlement: Machine.Settlement?
        var cancelledWorks = ShortList<Task<Void, Never>>()
        var cancelledStartingWork: StartingTask?
        var callbacks: FutureCallbacks.Effects?
        /// Let go of outside the lock, as its end may call back.
        var releasedFuture: AnyResponseFuture?
    }

    nonisolated func perform(_ effects: Effects?) {
        guard let effects else { return }
        if let settlement = effects.settlement {
            settlement.interests.forEach { $0.resumption?.resume(returning: settlement.outcome) }
        }
        perform(effects.callbacks)
        effects.cancelledWorks.forEach { Trampoline.cancel($0) }
        if let work = effects.cancelledStartingWork { Trampoline.cancel(work) }
    }

    nonisolated func perform(_ effects: FutureCallbacks.Effects?) {
        guard let effects else { return }
        for delivery in effects.wokenDeliveries { delivery.resume(returning: ()) }
        if effects.beginsSlotDelivery { Task { @MainActor in await deliverOnMainActor() } }
        if effects.beginsObserverDelivery { Task { await deliverToObservers() } }
    }
}

extension FutureRun.State {
    /// Tells the callbacks of the outcome and lets go of the work.
    mutating func didSettle(_ settlement: FutureRun.Machine.Settlement) -> FutureRun.Effects {
        callbacks?.settle(settlement.outcome)
        var effects = FutureRun.Effects()
        effects.settlement = settlement
        effects.callbacks = deliveriesToBegin()
        effects.cancelledWorks = works
        works = ShortList()
        effects.cancelledStartingWork = startingWork.take()
        effects.releasedFuture = keptAlive.take()
        return effects
    }

    /// The future's own work has come to its end: nothing is left to cancel, unless others work for it too.
    mutating func letGoOfOwnWork() {
        isOwnWorkDone = true
        if startingWork.take() == nil { works.dropOnly() }
    }

    /// What the callbacks, if there are any, need done after a change.
    mutating func deliveriesToBegin() -> FutureCallbacks.Effects? {
        callbacks?.deliveriesToBegin(isStarted: machine.status != .created)
    }

    /// Changes the callbacks, which are made if there were none.
    mutating func withCallbacks<Output>(_ change: (inout FutureCallbacks) -> Output) -> Output {
        if var existing = callbacks.take() {
            defer { callbacks = existing }
            return change(&existing)
        }
        var new = FutureCallbacks()
        if case .settled(let outcome) = machine.phase { new.settle(outcome) }
        defer { callbacks = new }
        return change(&new)
    }
}
