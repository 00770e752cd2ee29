extension FutureRun {
    /// What a change of state leaves to do outside the lock.
    struct Effects {
        var settlement: Machine.Settlement?
        var cancelledWorks: [Task<Void, Never>] = []
        var wokenDeliveries: [CheckedContinuation<Void, Never>] = []
        var beginsSlotDelivery = false
        var beginsObserverDelivery = false
        /// Let go of outside the lock, as the end of what they captured may call back.
        var releasedFuture: AnyResponseFuture?
        var releasedSlots: [MainActorCallback] = []
        var releasedObservers: [IsolatedCallback] = []
    }

    nonisolated func perform(_ effects: Effects?) {
        guard let effects else { return }
        if let settlement = effects.settlement {
            for awaiter in settlement.resumptions { awaiter.resume(returning: settlement.outcome) }
        }
        for delivery in effects.wokenDeliveries { delivery.resume() }
        if effects.beginsSlotDelivery { Task { @MainActor in await deliverOnMainActor() } }
        if effects.beginsObserverDelivery { Task { await deliverToObservers() } }
        for work in effects.cancelledWorks { Trampoline.cancel(work) }
    }
}

extension FutureRun.State {
    /// Tells the callbacks of the outcome and lets go of the work.
    mutating func didSettle(_ settlement: FutureRun.Machine.Settlement) -> FutureRun.Effects {
        slots.settle(settlement.outcome)
        observers.settle(settlement.outcome)
        var effects = deliveriesToBegin()
        effects.settlement = settlement
        effects.cancelledWorks = works
        works = []
        effects.releasedFuture = keptAlive.take()
        return effects
    }

    /// Wakes the deliveries that have something to do again, begins those that are needed and not there, and takes out
    /// the callbacks that nobody needs any more.
    mutating func deliveriesToBegin() -> FutureRun.Effects {
        var effects = FutureRun.Effects()
        effects.releasedSlots = slots.takeDiscarded()
        effects.releasedObservers = observers.takeDiscarded()
        let isUnobserved = slots.isEmpty && observers.isEmpty && idleSlotDelivery == nil && idleObserverDelivery == nil
        if isUnobserved || machine.status == .created { return effects }
        if slots.hasWork, let delivery = idleSlotDelivery.take() { effects.wokenDeliveries.append(delivery) }
        if observers.hasWork, let delivery = idleObserverDelivery.take() { effects.wokenDeliveries.append(delivery) }
        effects.beginsSlotDelivery = slots.beginDelivery()
        effects.beginsObserverDelivery = observers.beginDelivery()
        return effects
    }
}
