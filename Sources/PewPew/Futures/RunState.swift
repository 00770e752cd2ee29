/// Where a future or a promise is in its life, and which observers to notify: decisions alone, which its ``RunCore``
/// carries out.
struct RunState<Value: Sendable, Failure: Sendable>: Sendable {
    typealias Outcome = RunOutcome<Value, Failure>
    typealias Observer = @Sendable (Outcome) -> [RunStep]

    enum Phase: Sendable {
        case created
        case running
        /// The callbacks are being called.
        case delivering(Outcome)
        /// `delivered` is what the callbacks made of it: an error, if one of them threw.
        case finished(Outcome, delivered: Outcome)
    }

    /// What becomes of an observer.
    enum Reception: Sendable {
        case waiting
        /// It waits, and the action is to be run.
        case start
        /// It's too late to wait.
        case told(Outcome)
    }

    private(set) var phase = Phase.created
    private(set) var callbacks = RunCallbacks<Value, Failure>()
    private var observers: [Observer] = []
    private var cancelWork: (@Sendable () -> [RunStep])?
    /// Whether the run is that of a `send()`, so that nobody's cancellation ends it.
    private var isSent = false
    /// Whether a callback was attached that no run has used up yet.
    private var hasFreshCallbacks = false

    mutating func attach(_ change: (inout RunCallbacks<Value, Failure>) -> Void) {
        change(&callbacks)
        hasFreshCallbacks = true
    }

    /// Whether a `send()` is to run the action: not while it runs, and not again for nobody.
    mutating func send() -> Bool {
        switch phase {
        case .running:
            isSent = true
            return false
        case .delivering: return false
        case .finished where !hasFreshCallbacks: return false
        case .created, .finished:
            phase = .running
            isSent = true
            return true
        }
    }

    /// Takes in an observer, which joins the run there is, or makes one necessary.
    ///
    /// - Parameters:
    ///   - isContent: whether the outcome of the last run will do.
    ///   - takesOver: whether it comes in the place of the callbacks, those of a completion excepted.
    mutating func observe(isContent: Bool, takesOver: Bool, _ observer: @escaping Observer) -> Reception {
        switch phase {
        case .delivering(let outcome): return .told(outcome)
        case .finished(let outcome, _) where isContent: return .told(outcome)
        case .running:
            observers.append(observer)
            return .waiting
        case .created, .finished:
            if takesOver { callbacks.dropOutcomeCallbacks() }
            observers.append(observer)
            phase = .running
            isSent = false
            return .start
        }
    }

    /// Says what ends the work of the present run.
    mutating func onCancel(_ cancel: @escaping @Sendable () -> [RunStep]) {
        if case .running = phase { cancelWork = cancel }
    }

    /// Whether the one who waits may end the run, and what ends its work.
    mutating func cancel() -> (isEnd: Bool, cancelWork: (@Sendable () -> [RunStep])?) {
        guard case .running = phase, !isSent, observers.count <= 1 else { return (false, nil) }
        return (true, cancelWork)
    }

    /// Takes in the outcome, if it is the first one of the run, and hands out the observers to notify.
    mutating func settle(_ outcome: Outcome) -> (callbacks: RunCallbacks<Value, Failure>, observers: [Observer])? {
        switch phase {
        case .delivering, .finished: return nil
        case .created, .running: break
        }
        defer {
            phase = .delivering(outcome)
            callbacks = RunCallbacks()
            observers = []
            cancelWork = nil
            hasFreshCallbacks = false
        }
        return (callbacks, observers)
    }

    /// The callbacks have been called, but for the completion.
    mutating func finish(delivered: Outcome) {
        if case .delivering(let outcome) = phase { phase = .finished(outcome, delivered: delivered) }
    }
}
