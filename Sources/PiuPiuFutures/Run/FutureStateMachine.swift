/// What a party that joins has to do.
@usableFromInline
package enum FutureJoin<Success: Sendable>: Sendable {
    case settled(FutureOutcome<Success>)
    /// Start the work, then wait.
    case launch(FutureRun.InterestID)
    case wait(FutureRun.InterestID)
}

/// The decisions of an observed future: who may settle it, who is interested, what a cancellation does.
///
/// A pure value without threads, tasks or time. Each method returns what the caller (``FutureRun``) has to do, and the
/// caller does it after it has released its lock. A `Party` is interested in the future; tests use a number.
package struct FutureStateMachine<Success: Sendable, Party: Sendable>: Sendable {
    package enum Phase: Sendable {
        case idle
        case running
        case settled(FutureOutcome<Success>)
    }

    /// Names one interested party: its token (contract rule INTEREST).
    package typealias InterestID = InterestList<Party>.ID

    package typealias Join = FutureJoin<Success>

    /// What a settlement leaves to do: notify all interested parties.
    package struct Settlement: Sendable {
        package let outcome: FutureOutcome<Success>
        package let interests: InterestList<Party>
    }

    /// What a cancellation leaves to do.
    package enum Cancellation: Sendable {
        /// The work had not begun: it must never begin.
        case beforeStart(Settlement)
        case whileRunning(Settlement)
        /// It had settled already; callbacks that had not been called get a cancellation instead.
        case beforeDelivery
        case ignored
    }

    /// What the departure of a party leaves to do.
    package enum Departure: Sendable {
        /// No party of that name is interested (any more).
        case unknown
        /// Others are still interested.
        case left(Party)
        /// It was the last, and the future has been cancelled.
        case last(Party, Settlement)
    }

    package private(set) var phase: Phase = .idle
    package private(set) var status: FutureStatus = .created
    package private(set) var isSent = false
    package private(set) var interests = InterestList<Party>()

    package init() {}

    package var isSettled: Bool {
        if case .settled = phase { true } else { false }
    }

    // MARK: Starting

    /// Starts, and marks the future as sent. True if the caller must launch the work (contract rule ONCE).
    package mutating func send() -> Bool {
        isSent = true
        return begin()
    }

    /// Gives a party a token, and starts if necessary.
    package mutating func join(_ party: Party) -> Join {
        if case .settled(let outcome) = phase { return .settled(outcome) }
        let id = interests.append(party)
        return begin() ? .launch(id) : .wait(id)
    }

    private mutating func begin() -> Bool {
        guard case .idle = phase else { return false }
        phase = .running
        status = .started
        return true
    }

    // MARK: Waiting

    /// Registers the party that waits, or returns the outcome to resume it with at once.
    package mutating func wait(_ id: InterestID, as party: Party) -> FutureOutcome<Success>? {
        if case .settled(let outcome) = phase { return outcome }
        return interests.replace(id, with: party) == nil ? .cancelled : nil
    }

    /// Gives up a token (contract rules DOWN, SHARED and INTEREST).
    package mutating func leave(_ id: InterestID) -> Departure {
        guard let party = interests.remove(id) else { return .unknown }
        guard interests.isEmpty, !isSent, let settlement = settle(.cancelled) else { return .left(party) }
        return .last(party, settlement)
    }

    // MARK: Ending

    /// Settles, if nothing did before (contract rule SETTLE).
    package mutating func settle(_ outcome: FutureOutcome<Success>) -> Settlement? {
        guard !isSettled else { return nil }
        return Settlement(outcome: outcome, interests: end(with: outcome))
    }

    /// Settles as ``settle(_:)`` does, if at most one party is interested.
    ///
    /// - Returns: that party, if there is one; `nil` if this did not settle the future.
    package mutating func settleForSoleParty(_ outcome: FutureOutcome<Success>) -> Party?? {
        guard !isSettled, let party = interests.sole else { return nil }
        _ = end(with: outcome)
        return .some(party)
    }

    private mutating func end(with outcome: FutureOutcome<Success>) -> InterestList<Party> {
        phase = .settled(outcome)
        status = outcome.status
        defer { interests = InterestList() }
        return interests
    }

    /// Cancels (contract rules UP, EARLY and AFTER-CANCEL).
    ///
    /// - Parameter hadUndelivered: whether an undelivered outcome has been turned into a cancellation; used only for a
    ///   settled future.
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
