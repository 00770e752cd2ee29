/// Identifies an observer of a run.
final class RunObserverID: Sendable {}

/// The phase of a future or a promise, and the observers to notify. It makes the decisions; ``RunCore`` carries them
/// out.
struct RunState<Value: Sendable, Failure: Sendable>: Sendable {
    typealias Outcome = RunOutcome<Value, Failure>
    typealias Observer = @Sendable (Outcome) -> [RunStep]

    enum Phase: Sendable {
        case created
        case running
        /// The callbacks are being called.
        case delivering(Outcome)
        /// `delivered` is the outcome after the callbacks: an error, if one of them threw.
        case finished(Outcome, delivered: Outcome)
    }

    /// What the end of a run leaves to do.
    struct End: Sendable {
        let outcome: Outcome
        let run: Int
        let callbacks: RunCallbacks<Value, Failure>
        let observers: [Observer]
    }

    /// What becomes of an observer.
    enum Reception: Sendable {
        case waiting
        /// It waits, and the caller runs the action, for the run with this number.
        case start(run: Int)
        /// The outcome is there already.
        case settled(Outcome)
    }

    private(set) var phase = Phase.created
    private(set) var callbacks = RunCallbacks<Value, Failure>()
    private var observers: [(id: RunObserverID, notify: Observer)] = []
    private var cancelWork: (@Sendable () -> [RunStep])?
    /// The other run that this one waits for.
    private(set) var awaited: (any RunNode)?
    /// Whether a `send()` asked for the run, so that no observer's cancellation ends it.
    private var isSent = false
    /// Whether a callback was attached that no run has used yet.
    private var hasFreshCallbacks = false
    /// The number of the present or the last run.
    private(set) var run = 0
    /// Whether callbacks of the last run, or its observers, are still being called.
    private var isNotifying = false
    /// Whether a `send()` asked meanwhile for another run, for new callbacks.
    private var isSentAgain = false

    /// The number of the run that has no outcome yet, if there is one.
    var presentRun: Int? {
        guard case .running = phase else { return nil }
        return run
    }

    mutating func attach(_ change: (inout RunCallbacks<Value, Failure>) -> Void) {
        change(&callbacks)
        hasFreshCallbacks = true
    }

    /// A `send()` runs the action, unless there is a run, or there was one and no new callbacks.
    ///
    /// One that comes from a callback waits for the others: runs inside each other would overflow the stack.
    ///
    /// - Returns: the number of the run for which the caller runs the action, if it does.
    mutating func send() -> Int? {
        if case .running = phase {
            isSent = true
            return nil
        }
        if isNotifying {
            isSentAgain = hasFreshCallbacks
            return nil
        }
        if case .finished = phase, !hasFreshCallbacks { return nil }
        begin(isSent: true)
        return run
    }

    /// All calls of a run have been made.
    ///
    /// - Returns: whether a `send()` meanwhile asked for another run, which hasn't begun.
    mutating func endNotifying(ofRun number: Int) -> Bool {
        guard number == run else { return false }
        isNotifying = false
        return isSentAgain
    }

    private mutating func begin(isSent: Bool) {
        phase = .running
        run += 1
        self.isSent = isSent || isSentAgain
        isSentAgain = false
        isNotifying = false
    }

    /// Adds an observer, which joins the present run, or starts one.
    ///
    /// - Parameters:
    ///   - id: for its cancellation.
    ///   - isContent: whether the outcome of the last run will do.
    ///   - takesOver: whether it replaces all callbacks except the completion.
    mutating func observe(
        _ id: RunObserverID, isContent: Bool, takesOver: Bool, _ observer: @escaping Observer
    ) -> Reception {
        switch phase {
        case .delivering(let outcome): return .settled(outcome)
        case .finished(let outcome, _) where isContent: return .settled(outcome)
        case .running:
            if takesOver { callbacks.dropOutcomeCallbacks() }
            observers.append((id, observer))
            return .waiting
        case .created, .finished:
            if takesOver { callbacks.dropOutcomeCallbacks() }
            observers.append((id, observer))
            begin(isSent: false)
            return .start(run: run)
        }
    }

    /// Sets the closure that ends the work of the present run; returns its number, or `nil` if there is none, or if it
    /// is another one than that with the given number.
    mutating func onCancel(
        ofRun number: Int?, _ cancel: @escaping @Sendable () -> [RunStep], awaiting awaited: (any RunNode)?
    ) -> Int? {
        guard case .running = phase, number == nil || number == run else { return nil }
        cancelWork = cancel
        self.awaited = awaited
        return run
    }

    /// An observer leaves. If it is the last one, it ends the run: returns what is to be called, and before that the
    /// closure that ends the work.
    ///
    /// The run is over at once: what sends the future while its work is cancelled begins another one.
    mutating func cancel(_ id: RunObserverID) -> (end: End, cancelWork: (@Sendable () -> [RunStep])?)? {
        guard case .running = phase, let index = observers.firstIndex(where: { $0.id === id }) else { return nil }
        guard !isSent, observers.count == 1 else {
            observers.remove(at: index)
            return nil
        }
        let cancelWork = cancelWork
        guard let end = settle(.error(CancellationError()), ofRun: run) else { return nil }
        finish(delivered: end.outcome, ofRun: run)
        return (end, cancelWork)
    }

    /// Records the outcome, if it is the first one of the run, and returns what is to be called.
    mutating func settle(_ outcome: Outcome, ofRun number: Int?) -> End? {
        // The callbacks of that run may have begun another one.
        if let number, number != run { return nil }
        switch phase {
        case .delivering, .finished: return nil
        case .created, .running: break
        }
        defer {
            phase = .delivering(outcome)
            isNotifying = true
            callbacks = RunCallbacks()
            observers = []
            cancelWork = nil
            awaited = nil
            hasFreshCallbacks = false
        }
        return End(outcome: outcome, run: run, callbacks: callbacks, observers: observers.map(\.notify))
    }

    /// All callbacks except the completion have been called. An observer that comes from now on begins another run.
    mutating func finish(delivered: Outcome, ofRun number: Int) {
        // After a cancellation there may be another run by now.
        guard number == run, case .delivering(let outcome) = phase else { return }
        phase = .finished(outcome, delivered: delivered)
    }
}
