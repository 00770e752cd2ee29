/// Every decision of an observed future: who may settle it, who is interested, what a cancellation does.
///
/// A pure value without threads, tasks or time. Each method answers with what the caller (``FutureRun``) has to do, and
/// the caller does it after it has let go of its lock. `Resumption` is what wakes an awaiter; tests use a number.
@usableFromInline
package struct FutureStateMachine<Success: Sendable, Resumption: Sendable>: Sendable {
    @usableFromInline
    package enum Phase: Sendable {
        case idle
        case running
        case settled(FutureOutcome<Success>)
    }

    /// Names one party that waits for the outcome: an awaiter or a started branch.
    @usableFromInline
    package typealias InterestID = UInt64

    /// One party that waits for the outcome.
    @usableFromInline
    package struct Interest: Sendable {
        @usableFromInline let id: InterestID
        @usableFromInline let listener: (any UpdateReceiver)?
        @usableFromInline package var resumption: Resumption?
        /// Made by a child before its own work runs, which then takes it up.
        @usableFromInline var isReserved: Bool
    }

    /// What a party that joins has to do.
    @usableFromInline
    package enum Join: Sendable {
        case settled(FutureOutcome<Success>)
        /// Start the work, then wait.
        case launch(InterestID)
        case wait(InterestID)
    }

    /// What a settlement leaves to do: wake the awaiters, and let go of all who were interested.
    @usableFromInline
    package struct Settlement: Sendable {
        package let outcome: FutureOutcome<Success>
        package let interests: ShortList<Interest>

        package var resumptions: [Resumption] { interests.compactMap(\.resumption) }
    }

    /// What a cancellation leaves to do.
    @usableFromInline
    package enum Cancellation: Sendable {
        /// The work had not begun: it must never begin.
        case beforeStart(Settlement)
        case whileRunning(Settlement)
        /// It had settled already; the callbacks that had not been told are told of a cancellation instead.
        case beforeDelivery
        case ignored
    }

    /// What the departure of an awaiter leaves to do.
    @usableFromInline
    package enum Departure: Sendable {
        /// Nobody of that name is waiting (any more).
        case unknown
        /// Wake the one who leaves; others are still interested.
        case resume(Interest)
        /// Wake the one who leaves; it was the last, and the future has been cancelled.
        case last(Interest, Settlement)
    }

    package private(set) var phase: Phase = .idle
    package private(set) var status: FutureStatus = .created
    package private(set) var isSent = false
    private var interests = ShortList<Interest>()
    private var lastID: InterestID = 0

    package init() {}

    /// Those who want to hear of updates.
    package var listeners: [any UpdateReceiver] { interests.compactMap(\.listener) }

    /// Whether nobody waits for the outcome.
    package var hasNoInterest: Bool { interests.isEmpty }

    package var isSettled: Bool {
        if case .settled = phase { true } else { false }
    }

    // MARK: Starting

    /// Starts for the sake of the callbacks. True if the caller must launch the work (contract rule ONCE).
    package mutating func send() -> Bool {
        isSent = true
        return begin()
    }

    /// Registers a party that waits for the outcome, and starts if need be.
    package mutating func join(listener: (any UpdateReceiver)?, isReserved: Bool = false) -> Join {
        if case .settled(let outcome) = phase { return .settled(outcome) }
        lastID += 1
        interests.append(Interest(id: lastID, listener: listener, resumption: nil, isReserved: isReserved))
        return begin() ? .launch(lastID) : .wait(lastID)
    }

    /// Takes up the place that was reserved for `listener`, or joins anew.
    package mutating func takeReservation(of listener: any UpdateReceiver) -> Join {
        if case .settled(let outcome) = phase { return .settled(outcome) }
        let interest = interests.change(where: { $0.isReserved && $0.listener === listener }) { $0.isReserved = false }
        return interest.map { .wait($0.id) } ?? join(listener: listener)
    }

    @discardableResult
    private mutating func begin() -> Bool {
        guard case .idle = phase else { return false }
        phase = .running
        status = .started
        return true
    }

    // MARK: Waiting

    /// Leaves word how to wake the awaiter, or says what to wake it with at once.
    package mutating func wait(_ id: InterestID, resumption: Resumption) -> FutureOutcome<Success>? {
        if case .settled(let outcome) = phase { return outcome }
        let interest = interests.change(where: { $0.id == id }) { $0.resumption = resumption }
        return interest == nil ? .cancelled : nil
    }

    /// Takes an awaiter's interest away (contract rules DOWN and SHARED).
    package mutating func leave(_ id: InterestID) -> Departure {
        guard let interest = interests.take(where: { $0.id == id }) else { return .unknown }
        guard hasNoInterest, !isSent, let settlement = settle(.cancelled) else { return .resume(interest) }
        return .last(interest, settlement)
    }

    // MARK: Ending

    /// Settles, if nobody did before (contract rule SETTLE).
    package mutating func settle(_ outcome: FutureOutcome<Success>) -> Settlement? {
        if case .settled = phase { return nil }
        phase = .settled(outcome)
        status = outcome.status
        defer { interests = ShortList() }
        return Settlement(outcome: outcome, interests: interests)
    }

    /// Cancels (contract rules UP, EARLY and AFTER-CANCEL).
    ///
    /// - Parameter hadUndelivered: whether there was something that callbacks had not been told yet, which has now
    ///   been turned into a cancellation; asked only of a future that has settled.
    package mutating func cancel(hadUndelivered: Bool) -> Cancellation {
        let wasIdle = if case .idle = phase { true } else { false }
        if let settlement = settle(.cancelled) {
            return wasIdle ? .beforeStart(settlement) : .whileRunning(settlement)
        }
        guard hadUndelivered else { return .ignored }
        status = .cancelled
        return .beforeDelivery
    }

    /// A success callback threw (contract rule THROW).
    package mutating func callbackThrew(_ error: any Error) {
        status = error.isCancellation ? .cancelled : .error
    }
}
