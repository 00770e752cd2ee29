import PiuPiu

/// What a future or a promise consists of: its action, and the state of its run.
///
/// A chained future refers to the core of its parent, not to the parent itself: so a core knows, by the end of its
/// owner, that nobody is left who could settle it (contract rule NEVER-HANG). Observers are called by whoever settles,
/// callbacks on the main actor, inside `settle` if that runs there; all of them without the lock.
final class RunCore<Owner: AnyObject & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
    typealias Outcome = RunOutcome<Value, Failure>

    private struct Ownership: Sendable {
        weak var owner: Owner?
        var number = 0
    }

    private let action: @Sendable (Owner) throws -> Void
    private let abandonment: FutureError
    private let state = Locked(RunState<Value, Failure>())
    private let ownership = Locked(Ownership())

    init(abandonment: FutureError, action: @escaping @Sendable (Owner) throws -> Void) {
        self.abandonment = abandonment
        self.action = action
    }

    var phase: RunState<Value, Failure>.Phase { state.withLock { $0.phase } }

    // MARK: Owners

    /// The number of a new owner; there is one at a time.
    func nextOwnerNumber() -> Int {
        ownership.withLock {
            $0.number += 1
            return $0.number
        }
    }

    func setOwner(_ owner: Owner) {
        ownership.withLock { $0.owner = owner }
    }

    /// The owner, or a new one if it has gone.
    func owner(orNew makeOwner: () -> Owner) -> Owner {
        ownership.withLock { $0.owner } ?? makeOwner()
    }

    /// The owner has gone: nobody can settle the run any more, unless there is another one by now.
    func ownerHasGone(number: Int) {
        guard ownership.withLock({ $0.number }) == number, case .running = phase else { return }
        settle(.error(abandonment))
    }

    // MARK: Runs

    func attach(_ update: (inout RunCallbacks<Value, Failure>) -> Void) {
        change { $0.attach(update) }
    }

    func send(as owner: Owner) {
        if change({ $0.send() }) { run(as: owner) }
    }

    /// Tells the observer the outcome of the run there is, or of a new one.
    ///
    /// - Parameters:
    ///   - isContent: whether the outcome of the last run will do.
    ///   - takesOver: whether the observer comes in the place of the callbacks, those of a completion excepted.
    ///   - makeOwner: makes an owner of this core.
    ///   - observer: is told once.
    func observe(
        isContent: Bool = false, takesOver: Bool = false, orNew makeOwner: () -> Owner,
        _ observer: @escaping @Sendable (Outcome) -> Void
    ) {
        let reception = change { $0.observe(isContent: isContent, takesOver: takesOver, observer) }
        switch reception {
        case .waiting: break
        case .start: run(as: owner(orNew: makeOwner))
        case .told(let outcome): observer(outcome)
        }
    }

    /// Says what ends the work of the present run, when it is cancelled.
    func onCancel(_ cancel: @escaping @Sendable () -> Void) {
        change { $0.onCancel(cancel) }
    }

    /// Ends the run if it is there for one observer alone, who has lost interest.
    func cancelIfUnwanted() {
        let (isEnd, cancelWork) = change { $0.cancel() }
        guard isEnd else { return }
        cancelWork?()
        settle(.error(CancellationError()))
    }

    /// Tells everybody the outcome, if it is the first one of the run.
    func settle(_ outcome: Outcome) {
        guard let (callbacks, observers) = change({ $0.settle(outcome) }) else { return }
        guard callbacks.isEmpty else {
            return MainContext.run { self.deliver(outcome, to: callbacks, and: observers) }
        }
        for observer in observers { observer(outcome) }
        change { $0.finish(delivered: outcome) }
    }

    @MainActor
    private func deliver(
        _ outcome: Outcome, to callbacks: RunCallbacks<Value, Failure>, and observers: [@Sendable (Outcome) -> Void]
    ) {
        var delivered = outcome
        callbacks.inspection?(outcome)
        do {
            switch outcome {
            case .success(let value): try callbacks.success?(value)
            case .failure(let failure): try callbacks.failure?(failure)
            case .error(let error): callbacks.error?(error)
            }
        } catch {
            callbacks.error?(error)
            delivered = .error(error)
        }
        for observer in observers { observer(outcome) }
        change { $0.finish(delivered: delivered) }
        callbacks.completion?()
    }

    private func run(as owner: Owner) {
        do { try action(owner) } catch { settle(.error(error)) }
    }

    /// Changes the state under the lock, and lets go of what it held before outside: an end may call back.
    private func change<Output>(_ body: (inout RunState<Value, Failure>) -> Output) -> Output {
        let (output, old) = state.withLock { state in
            let old = state
            return (body(&state), old)
        }
        return withExtendedLifetime(old) { output }
    }
}
