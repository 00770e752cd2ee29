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

    /// What the departure of an observer leaves to do.
    enum Departure: Sendable {
        /// It isn't there any more.
        case unknown
        /// Others are there, or a `send()` has asked for the run. The observer is to be released outside the lock.
        case left(Observer)
        /// It was the last, and has ended the run: returns what is to be called, and before that the closure that ends
        /// the work.
        case last(End, cancelWork: (@Sendable () -> [RunStep])?)
    }

    /// What a change may replace, to be released outside the lock.
    ///
    /// The observers are not in it: a copy of all of them for each that comes or leaves would take long. A change
    /// returns those that it takes out.
    struct Replaceable: Sendable {
        let phase: Phase
        let callbacks: RunCallbacks<Value, Failure>
        let cancelWork: (@Sendable () -> [RunStep])?
        let awaited: (any RunNode)?
    }

    private struct Entry: Sendable {
        /// Retained, as its identity is the key.
        let id: RunObserverID
        /// Those that came earlier have smaller ones.
        let number: Int
        let notify: Observer
    }

    private(set) var phase = Phase.created
    private(set) var callbacks = RunCallbacks<Value, Failure>()
    private var observers: [ObjectIdentifier: Entry] = [:]
    private var lastNumber = 0
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

    var replaceable: Replaceable {
        Replaceable(phase: phase, callbacks: callbacks, cancelWork: cancelWork, awaited: awaited)
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
            add(observer, id)
            return .waiting
        case .created, .finished:
            if takesOver { callbacks.dropOutcomeCallbacks() }
            add(observer, id)
            begin(isSent: false)
            return .start(run: run)
        }
    }

    private mutating func add(_ observer: @escaping Observer, _ id: RunObserverID) {
        lastNumber += 1
        observers[ObjectIdentifier(id)] = Entry(id: id, number: lastNumber, notify: observer)
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

    /// An observer leaves. If it is the last one, it ends the run.
    ///
    /// The run is over at once: what sends the future while its work is cancelled begins another one.
    mutating func cancel(_ id: RunObserverID) -> Departure {
        guard case .running = phase, let entry = observers[ObjectIdentifier(id)] else { return .unknown }
        guard !isSent, observers.count == 1 else {
            observers[ObjectIdentifier(id)] = nil
            return .left(entry.notify)
        }
        let cancelWork = cancelWork
        guard let end = settle(.error(CancellationError()), ofRun: run) else { return .unknown }
        finish(delivered: end.outcome, ofRun: run)
        return .last(end, cancelWork: cancelWork)
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
            observers = [:]
            cancelWork = nil
            awaited = nil
            hasFreshCallbacks = false
        }
        let inOrder = observers.values.sorted { $0.number < $1.number }
        return End(outcome: outcome, run: run, callbacks: callbacks, observers: inOrder.map(\.notify))
    }

    /// All callbacks except the completion have been called. An observer that comes from now on begins another run.
    mutating func finish(delivered: Outcome, ofRun number: Int) {
        // After a cancellation there may be another run by now.
        guard number == run, case .delivering(let outcome) = phase else { return }
        phase = .finished(outcome, delivered: delivered)
    }
}
