/// The callbacks of a future, of both families, and the deliveries that run them.
///
/// A pure value: it decides, and ``FutureRun`` carries out what it returns.
struct FutureCallbacks: Sendable {
    /// What a change leaves to do outside the lock.
    struct Effects {
        var wokenDeliveries: [Awaiter<Void>] = []
        var beginsSlotDelivery = false
        var beginsObserverDelivery = false
        /// Let go of outside the lock, as the end of what they captured may call back.
        var releasedSlots: [MainActorCallback] = []
        var releasedObservers: [IsolatedCallback] = []
    }

    var slots = CallbackQueue<any FutureValue, MainActorCallback>()
    var observers = CallbackQueue<any FutureValue, IsolatedCallback>()
    /// The delivery that waits for something to deliver, one for each family.
    var idleSlotDelivery: Awaiter<Void>?
    var idleObserverDelivery: Awaiter<Void>?

    /// Takes the outcome.
    mutating func settle(_ outcome: FutureOutcome<any FutureValue>) {
        slots.settle(outcome)
        observers.settle(outcome)
    }

    /// Turns an outcome that some callback has not been told of into a cancellation.
    ///
    /// - Returns: whether there was such an outcome.
    mutating func cancelUndelivered() -> Bool {
        let hadSlots = slots.cancelUndelivered()
        let hadObservers = observers.cancelUndelivered()
        return hadSlots || hadObservers
    }

    /// Wakes the deliveries that have something to do again, begins those that are needed and not there, and takes out
    /// the callbacks that nobody needs any more.
    ///
    /// - Parameter isStarted: whether the future is past its start; nothing is delivered before.
    mutating func deliveriesToBegin(isStarted: Bool) -> Effects {
        var effects = Effects()
        effects.releasedSlots = slots.takeDiscarded()
        effects.releasedObservers = observers.takeDiscarded()
        guard isStarted else { return effects }
        if slots.hasWork, let delivery = idleSlotDelivery.take() { effects.wokenDeliveries.append(delivery) }
        if observers.hasWork, let delivery = idleObserverDelivery.take() { effects.wokenDeliveries.append(delivery) }
        effects.beginsSlotDelivery = slots.beginDelivery()
        effects.beginsObserverDelivery = observers.beginDelivery()
        return effects
    }
}
