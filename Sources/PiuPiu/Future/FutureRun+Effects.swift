extension FutureRun {
    /// What a change of state leaves to do outside the lock.
    struct Effects {
        var settlement: Machine.Settlement?
        var cancelledWork: Task<Void, Never>?
        /// Let go of outside the lock, as its end may call back.
        var released: AnyResponseFuture?
        var wokenDeliveries: [CheckedContinuation<Void, Never>] = []
        var beginsSlotDelivery = false
        var beginsObserverDelivery = false
    }

    nonisolated func perform(_ effects: Effects?) {
        guard let effects else { return }
        if let settlement = effects.settlement {
            for awaiter in settlement.resumptions { awaiter.resume(returning: settlement.outcome) }
        }
        effects.cancelledWork?.cancel()
        for delivery in effects.wokenDeliveries { delivery.resume() }
        if effects.beginsSlotDelivery { Task { @MainActor in await deliverOnMainActor() } }
        if effects.beginsObserverDelivery { Task { await deliverToObservers() } }
    }
}

extension FutureRun.State {
    /// Tells the callbacks of the outcome and lets go of the work.
    mutating func didSettle(_ settlement: FutureRun.Machine.Settlement) -> FutureRun.Effects {
        slots.settle(settlement.outcome)
        observers.settle(settlement.outcome)
        var effects = deliveriesToBegin() ?? FutureRun.Effects()
        effects.settlement = settlement
        if case .cancelled = settlement.outcome { effects.cancelledWork = work }
        work = nil
        effects.released = keptAlive.take()
        return effects
    }

    /// Wakes the deliveries that have something to do again, and begins those that are needed and not there.
    mutating func deliveriesToBegin() -> FutureRun.Effects? {
        if slots.isEmpty, observers.isEmpty, idleSlotDelivery == nil, idleObserverDelivery == nil { return nil }
        guard machine.status != .created else { return nil }
        var effects = FutureRun.Effects()
        if slots.hasWork, let delivery = idleSlotDelivery.take() { effects.wokenDeliveries.append(delivery) }
        if observers.hasWork, let delivery = idleObserverDelivery.take() { effects.wokenDeliveries.append(delivery) }
        effects.beginsSlotDelivery = slots.beginDelivery()
        effects.beginsObserverDelivery = observers.beginDelivery()
        return effects
    }
}
