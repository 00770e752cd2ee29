extension FutureRun {
    // MARK: Attaching

    /// Attaches a PiuPiu-style callback, which replaces one of the same kind (contract rule SLOT).
    @usableFromInline
    package nonisolated func attach(_ callback: MainActorCallback, for kind: CallbackKind, of future: AnyResponseFuture)
    {
        Self.perform(
            enter((callback, kind, future)) { run, slot in
                run.existingOrNewCallbacks.slots.attach(slot.0, for: slot.1, replacing: true)
                return run.attached(to: slot.2)
            })
    }

    /// Attaches one more callback of the modern family.
    @usableFromInline
    nonisolated func attach(_ callback: IsolatedCallback, for kind: CallbackKind, of future: AnyResponseFuture) {
        Self.perform(
            enter((callback, kind, future)) { run, entry in
                run.existingOrNewObservers.queue.attach(entry.0, for: entry.1, replacing: false)
                return run.attached(to: entry.2)
            })
    }

    /// A late callback retains its future, too, until it has run (contract rule RETAIN).
    private func attached(to future: AnyResponseFuture) -> Aftermath? {
        if machine.isSettled { retain(future) }
        return changed()
    }

    /// Attaches a stream that gets each update at once, and ends with the future. It doesn't count as interest.
    ///
    /// - Returns: the name to detach it with; `nil` if the future has settled.
    nonisolated func attach(_ onlooker: FutureCallbacks.UpdateStream) -> Int? {
        enter(onlooker) { run, onlooker in
            run.machine.isSettled ? nil : run.existingOrNewCallbacks.add(onlooker)
        }
    }

    nonisolated func detachOnlooker(_ name: Int) {
        let onlooker = enter(name) { run, name in run.callbacks?.removeOnlooker(name) }
        withExtendedLifetime(onlooker) {}
    }

    private var existingOrNewCallbacks: FutureCallbacks {
        if let callbacks { return callbacks }
        let new = FutureCallbacks()
        if case .settled(let outcome) = machine.phase { new.settle(outcome, isReported: has(.callbacksCalled)) }
        callbacks = new
        return new
    }

    /// Made late, they know what has happened to the future, as the slots do.
    private var existingOrNewObservers: FutureCallbacks.Observers {
        let callbacks = existingOrNewCallbacks
        if let observers = callbacks.observers { return observers }
        let new = FutureCallbacks.Observers()
        if case .settled(let outcome) = machine.phase {
            new.queue.settle(outcome, isReported: has(.callbacksCalled))
            if callbacks.slots.isSilenced { new.queue.silence() }
        }
        callbacks.observers = new
        return new
    }

    // MARK: Updates

    /// Passes an update to the callbacks, and once to each future made from this one, from any thread. Successive
    /// updates arrive in order. A loop, as a chain may have a million futures (contract rule DEPTH).
    package nonisolated func receive(_ update: TransferUpdate) {
        var next = take(update)
        guard !next.isEmpty else { return }
        var notified: Set = [ObjectIdentifier(self)]
        while let run = next.popLast() {
            if notified.insert(ObjectIdentifier(run)).inserted { next += run.take(update) }
        }
    }

    /// The same of an update that is reported to this future from outside: those are of one transfer.
    nonisolated func receiveFromOutside(_ update: TransferUpdate) {
        guard update.source == nil else { return receive(update) }
        let source: TransferSource? = enter(()) { run, _ in
            if case .running = run.machine.phase { run.transferFromOutside } else { nil }
        }
        if let source { receive(update.of(source)) }
    }

    private var transferFromOutside: TransferSource {
        var known: TransferSource?
        sources.forEach { source in
            if case .transfer(let transfer) = source { known = transfer }
        }
        if let known { return known }
        let new = TransferSource()
        sources.append(.transfer(new))
        return new
    }

    /// Carries out the operation of one transfer, and receives its updates.
    nonisolated func reporting<Output>(
        _ operation: (FutureRun, @escaping @Sendable (TransferUpdate) -> Void) async throws -> Output
    ) async throws -> Output {
        let source = TransferSource()
        defer { endUpdates(of: source) }
        return try await operation(self, reporter(of: source))
    }

    /// Takes the updates of a transfer.
    package nonisolated func reporter(of source: TransferSource) -> @Sendable (TransferUpdate) -> Void {
        { self.receive($0.of(source)) }
    }

    /// A transfer is over.
    @inline(never)
    package nonisolated func endUpdates(of source: TransferSource) { receive(.end(of: source)) }

    /// A transfer begins: what an earlier one has reported says nothing about it.
    package nonisolated func beginTransfer() {
        enter(()) { run, _ in run.step = .none }
    }

    /// Takes an update, and says who else is to have it.
    private nonisolated func take(_ update: TransferUpdate) -> [FutureRun] {
        let (receivers, onlookers, aftermath) = enter(update) {
            run, update -> ([FutureRun], [FutureCallbacks.UpdateStream], Aftermath?) in
            guard case .running = run.machine.phase else { return ([], [], nil) }
            if let share = update.progress.fractionTransferred.map(Float.init) {
                run.highestShare = max(run.highestShare, share)
            }
            if !update.isEnd { run.step = TransferStep(of: update) }
            if !update.isRefusal { run.callbacks?.enqueue(update) }
            var receivers: [FutureRun] = []
            run.machine.interests.forEach { party in
                if let receiver = party.receiver(of: update) { receivers.append(receiver) }
            }
            let onlookers = update.isMark ? [] : run.callbacks?.presentOnlookers ?? []
            return (receivers, onlookers, run.changed())
        }
        for onlooker in onlookers { onlooker.yield(update) }
        Self.perform(aftermath)
        return receivers
    }

    // MARK: Delivering

    /// Begins deliveries outside of the exchange that this task may carry out: a callback may start other work, which has
    /// nothing to do with that exchange.
    nonisolated func begin(_ deliveries: FutureCallbacks.Deliveries) {
        guard !deliveries.isEmpty else { return }
        ExchangeLocals.withoutCurrent {
            if deliveries.contains(.slots) { beginSlots() }
            if deliveries.contains(.observers) { Task { @concurrent in await deliverToObservers() } }
        }
    }

    @usableFromInline
    nonisolated func beginObservers() { begin(.observers) }

    /// Runs the PiuPiu-style callbacks that are due, one after the other (contract rules MAIN and ORDER), each in a job
    /// of its own, so that other jobs of the main actor can run in between (TURN).
    private nonisolated func beginSlots() {
        Task { @MainActor in
            while deliverSlot() { await MainTurn.shared.end() }
        }
    }

    /// Runs the next callback that is due.
    ///
    /// - Returns: whether another one is due; the delivery has ended otherwise.
    @MainActor
    private func deliverSlot() -> Bool {
        guard let call = nextSlotCall() else { return false }
        run(call)
        return !endSlots()
    }

    /// Ends the delivery, unless another callback is due: under one lock, so that nothing becomes due in between.
    private nonisolated func endSlots() -> Bool {
        let (isOver, aftermath) = enter(()) { run, _ -> (Bool, Aftermath?) in
            if run.callbacks?.slots.hasDueCallback == true { return (false, nil) }
            _ = run.callbacks?.slots.next()
            return (true, run.changed())
        }
        Self.perform(aftermath)
        return isOver
    }

    /// The callback that is due; `nil` if there is none, and the delivery has ended.
    private nonisolated func nextSlotCall() -> SlotQueue.Call? {
        let (step, aftermath) = enter(()) { run, _ -> (SlotQueue.Step, Aftermath?) in
            guard let step = run.callbacks?.slots.next(runsHere: { _ in true }) else { return (.finished, nil) }
            if case .finished = step { return (step, run.changed()) }
            return (step, nil)
        }
        Self.perform(aftermath)
        if case .here(let call) = step { return call }
        return nil
    }

    @MainActor
    private func run(_ call: SlotQueue.Call) {
        switch call {
        case .update(let update, .update(let callback)): callback(update)
        case .update(let update, .progress(let callback)): callback(update)
        case .outcome(.success(let value), .success(let callback)):
            do { try callback(value) } catch { slotThrew(error) }
        case .outcome(.failure(let error), .failure(let callback)): callback(error)
        case .outcome(_, .plain(let callback)), .plain(.plain(let callback)): callback()
        case .plain(.progress(let callback)): callback(nil)
        case .update, .outcome, .plain: break
        }
    }

    private nonisolated func slotThrew(_ error: any Error) {
        enter(error) { run, error in
            if run.callbacks?.slots.callbackThrew(error) == true { run.machine.callbackThrew(error) }
        }
        // One that doesn't count is released outside the lock.
        withExtendedLifetime(error) {}
    }

    /// Runs the due callbacks of the modern family, each on its actor (contract rules ANY-ACTOR and ORDER), and leaves
    /// that actor after each (TURN).
    @usableFromInline @concurrent
    nonisolated func deliverToObservers() async {
        guard ExchangeLocals.current == nil else { return beginObservers() }
        while let step = nextObserverStep(inBackground: true) {
            switch consume step {
            case .here(let call): await Self.run(call, of: self, on: nil)
            case let step: if await Self.perform(step, of: self, on: step.isolation) { return }
            }
        }
    }

    /// Not inlined, so that it takes no room in the caller's frame on the task's stack.
    ///
    /// - Parameter inBackground: whether the caller is on no actor, and so can run callbacks in the background itself.
    @inline(never)
    private nonisolated func nextObserverStep(inBackground: Bool) -> ObserverQueue.Step? {
        let (step, aftermath) = enter(inBackground) { run, inBackground -> (ObserverQueue.Step?, Aftermath?) in
            let next = run.callbacks?.observers?.queue.next { inBackground && $0.isolation == nil }
            guard let step = next else { return (nil, nil) }
            if case .finished = step { return (nil, run.changed()) }
            return (step, nil)
        }
        Self.perform(aftermath)
        return step
    }

    /// Takes a step on its own actor. Whether its callback is still wanted is checked there, so that a cancellation made
    /// there counts.
    ///
    /// - Returns: whether the caller is done.
    @inline(never)
    private static func perform(
        _ step: ObserverQueue.Step, of run: FutureRun, on actor: isolated (any Actor)?
    ) async -> Bool {
        if let call = run.call(for: step) { await Self.run(call, of: run, on: actor) }
        guard actor != nil else { return false }
        deliverNext(of: run, on: actor)
        return true
    }

    /// Runs a callback on its own actor.
    @inline(never)
    private static func run(
        _ call: ObserverQueue.Call, of run: FutureRun, on actor: isolated (any Actor)?
    ) async {
        switch call {
        case .update(let update, .update(let callback)): await callback(update)
        case .outcome(.success(let value), .success(let callback)):
            do { try await callback.call(with: value) } catch { run.observerThrew(error) }
        case .outcome(.failure(let error), .failure(let callback)): await callback(error)
        case .outcome(_, .plain(let callback)), .plain(.plain(let callback)): await callback()
        case .update, .outcome, .plain: break
        }
    }

    /// Continues the delivery from an actor in a new task, without a thread switch if the next callback belongs there,
    /// too. Not inlined, so that the step takes no room on the task's stack.
    @inline(never)
    private static func deliverNext(of run: FutureRun, on actor: isolated (any Actor)?) {
        guard let next = run.nextObserverStep(inBackground: false) else { return }
        if next.isolation === actor {
            Task {
                // The task belongs to the actor that it captures (SE-0420).
                _ = actor
                _ = await perform(next, of: run, on: actor)
            }
        } else {
            Task { @concurrent in
                if await !perform(next, of: run, on: next.isolation) { await run.deliverToObservers() }
            }
        }
    }

    /// Not inlined: steps are large, and would take room on the task's stack.
    @inline(never)
    private nonisolated func call(for step: ObserverQueue.Step) -> ObserverQueue.Call? {
        enter(step) { run, step in run.callbacks?.observers?.queue.call(for: step) }
    }

    private nonisolated func observerThrew(_ error: any Error) {
        enter(error) { run, error in
            if run.callbacks?.observers?.queue.callbackThrew(error, mustWait: true) == true {
                run.machine.callbackThrew(error)
            }
        }
        withExtendedLifetime(error) {}
    }
}

private typealias SlotQueue = CallbackQueue<any FutureValue, MainActorCallback>

private typealias ObserverQueue = CallbackQueue<any FutureValue, IsolatedCallback>

extension ObserverQueue.Step {
    /// The actor of the callback to call.
    fileprivate var isolation: (any Actor)? {
        switch self {
        case .update(_, let callback), .arrival(let callback), .outcome(let callback, _), .completion(let callback):
            callback.isolation
        case .here, .finished: nil
        }
    }
}
