extension FutureRun {
    /// Gives the future a PiuPiu-style callback; one of the same kind is replaced (contract rule SLOT).
    nonisolated func attach(_ callback: MainActorCallback, for kind: CallbackKind) {
        perform(
            state.withLock { state in
                state.withCallbacks { $0.slots.attach(callback, for: kind, replacing: true) }
                return state.deliveriesToBegin()
            })
    }

    /// Gives the future one more callback of the modern family.
    nonisolated func attach(_ callback: IsolatedCallback, for kind: CallbackKind) {
        perform(
            state.withLock { state in
                state.withCallbacks { $0.observers.attach(callback, for: kind, replacing: false) }
                return state.deliveriesToBegin()
            })
    }

    /// Runs the PiuPiu-style callbacks, one after the other, until the last has run (contract rules MAIN and ORDER).
    @MainActor
    func deliverOnMainActor() async {
        while true {
            switch state.withLock({ $0.callbacks?.slots.next() ?? .finished }) {
            case .update(let update, let callbacks):
                for callback in callbacks {
                    switch callback {
                    case .update(let callback): callback(update)
                    case .progress(let callback): callback(update)
                    default: break
                    }
                }
            case .arrival(let callback):
                if case .progress(let callback) = callback { callback(nil) }
            case .outcome(let outcome, let callback, let ticket):
                guard state.withLock({ $0.callbacks?.slots.claim(ticket) ?? false }) else { continue }
                switch (callback, outcome) {
                case (.success(let callback), .success(let value)):
                    do { try callback(value) } catch { slotThrew(error) }
                case (.failure(let callback), .failure(let error)): callback(error)
                case (.plain(let callback), _): callback()
                default: break
                }
            case .completion(let callback):
                if case .plain(let callback) = callback { callback() }
            case .wait:
                await park(at: \.idleSlotDelivery) { $0.slots.hasWork }
            case .finished:
                return perform(state.withLock { $0.deliveriesToBegin() })
            }
        }
    }

    /// Suspends a delivery until a change of state wakes it.
    private nonisolated func park(
        at place: WritableKeyPath<FutureCallbacks, Awaiter<Void>?>, unless hasWork: (FutureCallbacks) -> Bool
    ) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let delivery = Awaiter(continuation)
            let mustGoOn = state.withLock { state in
                guard let callbacks = state.callbacks, !hasWork(callbacks) else { return true }
                state.callbacks?[keyPath: place] = delivery
                return false
            }
            if mustGoOn { delivery.resume(returning: ()) }
        }
    }

    private nonisolated func slotThrew(_ error: any Error) {
        state.withLock { state in
            if state.callbacks?.slots.callbackThrew(error) == true { state.machine.callbackThrew(error) }
        }
    }

    /// Runs the modern callbacks, each where it belongs, until the last has run (contract rules ANY-ACTOR and ORDER).
    func deliverToObservers() async {
        while true {
            switch state.withLock({ $0.callbacks?.observers.next() ?? .finished }) {
            case .update(let update, let callbacks):
                for callback in callbacks { await deliver(update, to: callback, on: callback.isolation) }
            case .arrival:
                break  // Only the PiuPiu-style family has callbacks of that kind.
            case .outcome(let outcome, let callback, let ticket):
                await deliver(outcome, to: callback, ticket, on: callback.isolation)
            case .completion(let callback):
                if case .plain(let callback) = callback { await callback() }
            case .wait:
                await park(at: \.idleObserverDelivery) { $0.observers.hasWork }
            case .finished:
                return perform(state.withLock { $0.deliveriesToBegin() })
            }
        }
    }

    /// Asks on the callback's own actor whether the update is still wanted, so that a cancellation made there counts.
    private func deliver(
        _ update: TransferUpdate, to callback: IsolatedCallback, on actor: isolated (any Actor)?
    ) async {
        guard !state.withLock({ $0.callbacks?.observers.isCancelled ?? false }), case .update(let callback) = callback
        else { return }
        await callback(update)
    }

    /// Asks on the callback's own actor whether the outcome still stands, so that a cancellation made there counts.
    private func deliver(
        _ outcome: Outcome, to callback: IsolatedCallback,
        _ ticket: CallbackQueue<any FutureValue, IsolatedCallback>.Ticket, on actor: isolated (any Actor)?
    ) async {
        guard state.withLock({ $0.callbacks?.observers.claim(ticket) ?? false }) else { return }
        switch (callback, outcome) {
        case (.success(_, let callback), .success(let value)):
            do {
                try await callback(value)
            } catch {
                state.withLock { state in
                    if state.callbacks?.observers.callbackThrew(error) == true { state.machine.callbackThrew(error) }
                }
            }
        case (.failure(let callback), .failure(let error)): await callback(error)
        case (.plain(let callback), _): await callback()
        default: break
        }
    }
}
