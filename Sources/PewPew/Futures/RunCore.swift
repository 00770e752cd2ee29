import PiuPiu

/// The core of a future or a promise: its action, and the state of its run.
///
/// A chained future refers to the core of its parent, not to the parent itself. So the deinit of its owner notifies the
/// core that nothing can settle it any more (contract rule NEVER-HANG). Observers are called inside `settle`. Callbacks
/// are called on the main actor, inside `settle` if that runs there. No call is made under the lock.
///
/// Its work up and down a chain is returned as steps, which the first caller performs.
final class RunCore<Owner: RunOwner>: RunNode {
    typealias State = RunState<Owner.Value, Owner.Failure>
    typealias Outcome = State.Outcome
    /// Gets the owner, the number of the run and the reason for its start.
    typealias Action = @Sendable (Owner, Int, RunOrigin) throws -> [RunStep]

    private struct Ownership: Sendable {
        weak var owner: Owner?
        /// That of the last owner.
        var number = 0
    }

    // A struct instead of the bare closure: as a generic argument a closure is copied into another representation.
    private struct Work: Sendable {
        let action: Action
    }

    private let abandonment: FutureError
    private let work: Locked<Work?>
    private let state = Locked(State())
    private let ownership = Locked(Ownership())
    /// Not `nil` while an action runs that a delivery has begun: the steps after its outcome, if it has one already,
    /// and those of runs that were cancelled meanwhile.
    private let deferredSteps = Locked<[RunStep]?>(nil)

    private init(abandonment: FutureError, begin action: @escaping Action) {
        self.abandonment = abandonment
        work = Locked(Work(action: action))
    }

    /// Makes the core of a future with an action that gets the number of its run: what it begins or settles later is
    /// not that of a later run.
    convenience init(abandonment: FutureError, action: @escaping @Sendable (Owner, Int) throws -> Void) {
        self.init(abandonment: abandonment) { owner, run, _ in
            try action(owner, run)
            return []
        }
    }

    deinit {
        // The action holds the core of its parent, which holds that of its own parent, and so on.
        var work = work.withLock { $0.take() }
        Trampoline.release(&work)
    }

    var phase: State.Phase { state.withLock { $0.phase } }

    /// Whether the run has its outcome.
    var isOver: Bool {
        switch phase {
        case .created, .running: false
        case .delivering, .finished: true
        }
    }

    /// The number of the run that has no outcome yet, if there is one.
    var presentRun: Int? { state.withLock { $0.presentRun } }

    // MARK: Owners

    /// Sets the first owner, whose number is 0.
    func setOwner(_ owner: Owner) {
        ownership.withLock { $0.owner = owner }
    }

    /// The owner was released: nothing can settle the run any more, unless there is a new owner.
    func ownerHasGone(number: Int) {
        // In this order: a run that begins later has another owner.
        guard let run = presentRun, ownership.withLock({ $0.number }) == number else { return }
        RunStep.perform(settling(.error(abandonment), ofRun: run))
    }

    // MARK: Runs

    func attach(_ update: (inout RunCallbacks<Owner.Value, Owner.Failure>) -> Void) {
        change { $0.attach(update) }
    }

    func send(as owner: Owner) {
        if let number = change({ $0.send() }) { RunStep.perform(run(number, as: owner, .send)) }
    }

    /// Notifies the observer of the outcome of the last run, or of a new one, unless the future that it works for is
    /// cancelled.
    func observe<T: Sendable>(
        for future: PiuPiu.ResponseFuture<T>, _ observer: @escaping @Sendable (Outcome) -> Void
    ) {
        let id = RunObserverID(), leave: @Sendable () -> Void = { RunStep.perform(self.cancelling(id)) }
        // During the action, which may run inside of the next call.
        _ = future.onCancellation(leave)
        RunStep.perform(
            observing(id, isContent: true, takesOver: false, .send) { outcome in
                observer(outcome)
                return []
            })
        // It may have been cancelled before the run had the observer.
        _ = future.onCancellation(leave)
    }

    /// Runs for a child, and passes on the child's cancellation. A child that this one waits for fails.
    ///
    /// - Parameters:
    ///   - child: waits for the outcome. The observer retains it, so that it isn't abandoned.
    ///   - number: the run of the child that waits; `nil` for the present one, if there is one.
    ///   - origin: the reason for this call.
    ///   - observer: gets the outcome, in place of all callbacks except the completion, and the child's run: an outcome
    ///     that comes late is not that of a later one.
    func observing<Child: RunOwner>(
        for child: Child, inRun number: Int? = nil, _ origin: RunOrigin,
        _ observer: @escaping @Sendable (Outcome, Int?) -> [RunStep]
    ) -> [RunStep] {
        let id = RunObserverID()
        let run = child.core.onCancel(ofRun: number, awaiting: self) { self.cancelling(id) }
        // It may have been cancelled meanwhile.
        if run == nil, number != nil || child.core.isOver { return [] }
        // Each of them would wait for the others for ever.
        if dependsOn(child.core) { return child.core.settling(.error(FutureError.waitsForItself), ofRun: run) }
        let steps = observing(id, isContent: false, takesOver: true, origin) { observer($0, run) }
        // It may have been cancelled before the run had the observer. Others may wait for that run by now.
        if let run, child.core.presentRun != run { return cancelling(id) + steps }
        return steps
    }

    /// A core that runs this one when it runs, and transforms its outcome.
    ///
    /// - Parameter receive: gets the outcome, the child, and the number of the child's run.
    func next<Child: RunOwner>(
        _ receive: @escaping @Sendable (Outcome, Child, Int) -> [RunStep]
    ) -> RunCore<Child> {
        RunCore<Child>(abandonment: abandonment) { child, run, origin in
            self.observing(for: child, inRun: run, origin) { outcome, _ in receive(outcome, child, run) }
        }
    }

    private func observing(
        _ id: RunObserverID, isContent: Bool, takesOver: Bool, _ origin: RunOrigin,
        _ observer: @escaping @Sendable (Outcome) -> [RunStep]
    ) -> [RunStep] {
        let owner = presentOwner
        switch change({ $0.observe(id, isContent: isContent, takesOver: takesOver, observer) }) {
        case .waiting: return []
        case .start(let number): return [RunStep { self.run(number, as: owner, origin) }]
        case .settled(let outcome): return [RunStep { observer(outcome) }]
        }
    }

    /// The owner, or a new one. Retain it until the action runs: without an owner the run would be abandoned.
    private var presentOwner: Owner {
        // Under one lock: of two new owners, the release of one would abandon the run of the other.
        ownership.withLock { ownership in
            if let owner = ownership.owner { return owner }
            ownership.number += 1
            let owner = Owner(core: self, number: ownership.number)
            ownership.owner = owner
            return owner
        }
    }

    /// Runs the action, unless the run for which that was to be has ended meanwhile.
    private func run(_ number: Int, as owner: Owner, _ origin: RunOrigin) -> [RunStep] {
        guard presentRun == number, let work = work.withLock({ $0 }) else { return [] }
        // The end of a cancelled run may be in it.
        if origin == .delivery { deferredSteps.withLock { $0 = $0 ?? [] } }
        var steps: [RunStep]
        // If the action has settled it already, there may be another run by now.
        do { steps = try work.action(owner, number, origin) } catch { steps = settling(.error(error), ofRun: number) }
        if origin == .delivery, let deferred = deferredSteps.withLock({ $0.take() }) { steps += deferred }
        return steps
    }

    // MARK: Ends

    /// Sets the closure that ends the work of a run when it is cancelled.
    ///
    /// - Parameters:
    ///   - number: the number of the run; `nil` for the present one.
    ///   - awaited: the run that is the work, if it is another one.
    /// - Returns: the number of the run; `nil` if it has ended already, so that nothing needs to be begun.
    func onCancel(
        ofRun number: Int?, awaiting awaited: (any RunNode)? = nil, _ cancel: @escaping @Sendable () -> [RunStep]
    ) -> Int? {
        change { $0.onCancel(ofRun: number, cancel, awaiting: awaited) }
    }

    var awaited: (any RunNode)? { state.withLock { $0.awaited } }

    /// An observer leaves, and ends the run if it is the last one, and no `send()` has asked for the run.
    private func cancelling(_ id: RunObserverID) -> [RunStep] {
        guard case .last(let end, let cancelWork) = change({ $0.cancel(id) }) else { return [] }
        return [RunStep { cancelWork?() ?? [] }, RunStep { self.notifying(end) }]
    }

    /// Notifies all observers of the outcome, if it is the first one of the run.
    ///
    /// - Parameter run: the number of the run; `nil` for the present one.
    func settle(_ outcome: Outcome, ofRun run: Int? = nil) {
        RunStep.perform(settling(outcome, ofRun: run))
    }

    /// Records the outcome, if it is the first one of the run, and returns the steps that notify the observers.
    ///
    /// - Parameter run: the number of the run; `nil` for the present one.
    func settling(_ outcome: Outcome, ofRun run: Int?) -> [RunStep] {
        change { $0.settle(outcome, ofRun: run) }.map { self.notifying($0) } ?? []
    }

    /// The steps that notify all of the end of a run.
    private func notifying(_ end: State.End) -> [RunStep] {
        let step =
            end.callbacks.isEmpty
            ? RunStep { self.finishing(end, delivered: end.outcome) } : MainContext.step { self.delivering(end) }
        // A delivery that has begun the action performs this step when the action returns. A delivery inside the
        // action would nest without end. One beside it would wait for the main actor, which the action occupies.
        return deferredSteps.withLock { deferred in
            guard deferred != nil else { return [step] }
            deferred?.append(step)
            return []
        }
    }

    @MainActor
    private func delivering(_ end: State.End) -> [RunStep] {
        let callbacks = end.callbacks
        var delivered = end.outcome
        callbacks.inspection?(end.outcome)
        do {
            switch end.outcome {
            case .success(let value): try callbacks.success?(value)
            case .failure(let failure): try callbacks.failure?(failure)
            case .error(let error): callbacks.error?(error)
            }
        } catch {
            callbacks.error?(error)
            delivered = .error(error)
        }
        return finishing(end, delivered: delivered)
    }

    /// Notifies the observers, and calls the completion.
    ///
    /// The run is over before: a child that one of its own callbacks sends again begins another one, instead of getting
    /// the same outcome for ever.
    private func finishing(_ end: State.End, delivered: Outcome) -> [RunStep] {
        change { $0.finish(delivered: delivered, ofRun: end.run) }
        var steps = end.observers.map { observer in RunStep { [outcome = end.outcome] in observer(outcome) } }
        if let completion = end.callbacks.completion {
            steps.append(
                MainContext.step {
                    completion()
                    return []
                })
        }
        steps.append(RunStep { [run = end.run] in self.runningAgain(after: run) })
        return steps
    }

    private func runningAgain(after run: Int) -> [RunStep] {
        guard state.withLock({ $0.endNotifying(ofRun: run) }) else { return [] }
        let owner = presentOwner
        return change { $0.send() }.map { self.run($0, as: owner, .delivery) } ?? []
    }

    /// Changes the state under the lock, and releases what was replaced outside it, as a deinit may call back.
    private func change<Output>(_ body: (inout State) -> Output) -> Output {
        let (output, old) = state.withLock { state in
            let old = state.replaceable
            return (body(&state), old)
        }
        return withExtendedLifetime(old) { output }
    }
}
