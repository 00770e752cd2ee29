/// When the events that a session takes note of are reported, and when the session pauses.
///
/// A pure value that answers what is to be done; ``SessionEventLine`` keeps it under a lock and carries the answers out.
package struct EventPacing: Sendable {
    /// What a new event calls for.
    package enum Arrival: Sendable, Equatable {
        /// Nothing: those in line are going to be reported, and it with them.
        case wait
        /// To tell those in line when all that has been received together with it is there too.
        case tellAfterReading
        /// To tell those in line.
        case tell
        /// To pause, and to tell those in line.
        case pauseAndTell
    }

    /// What an event that has been reported leaves to do.
    package enum Departure: Sendable, Equatable {
        case nothing
        /// The pause is over.
        case goOn
        /// The pause is to be over after a courtesy to others: ``goOn()`` follows.
        case goOnAfterCourtesy
    }

    /// How many events come between two pauses; most are chunks of at most 16 KB.
    package static let burst = 16
    /// How many bytes are between two courtesies to others.
    package static let bytesBetweenCourtesies = 256 * 1024
    /// A pause ends when no more than these are left, so that the line doesn't run dry.
    package static let rest = 8

    private enum Pause { case none, untilRested, courtesy }

    private var pause = Pause.none
    private var eventsSincePause = 0
    private var untoldEvents = 0
    private var bytesSinceCourtesy = 0
    private var isCalled = false

    package init() {}

    /// An event joins the line.
    ///
    /// - Parameters:
    ///   - bytes: how many it is about, received or sent.
    ///   - canPause: whether the session can be made to pause.
    package mutating func arrived(bytes: Int = 0, canPause: Bool) -> Arrival {
        bytesSinceCourtesy += bytes
        untoldEvents += 1
        eventsSincePause += 1
        guard canPause, pause == .none else { return .tell }
        if eventsSincePause >= Self.burst {
            pause = .untilRested
            eventsSincePause = 0
            return .pauseAndTell
        }
        defer { isCalled = true }
        return isCalled ? .wait : .tellAfterReading
    }

    /// Those in line are about to be reported, one by one.
    package mutating func willTell() {
        isCalled = false
    }

    /// One of them has been reported.
    ///
    /// - Parameter letsOthersPass: whether others are to have the processor for a while, before the session goes on; it
    ///   does at once unless much has gone through it since the last time. Asked only where a pause could end.
    package mutating func told(letsOthersPass: @autoclosure () -> Bool) -> Departure {
        untoldEvents -= 1
        guard pause == .untilRested, untoldEvents <= Self.rest else { return .nothing }
        guard bytesSinceCourtesy >= Self.bytesBetweenCourtesies, letsOthersPass() else {
            pause = .none
            return .goOn
        }
        pause = .courtesy
        bytesSinceCourtesy = 0
        return .goOnAfterCourtesy
    }

    /// The courtesy is over, and with it the pause.
    package mutating func goOn() {
        pause = .none
    }
}
