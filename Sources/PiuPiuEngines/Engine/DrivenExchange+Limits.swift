import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension DrivenExchange {
    /// The time limits of an exchange: instants and times in nanoseconds.
    struct Limits {
        /// How long a server that has answered may take nothing of the request's body, if giving up the rest costs no
        /// connection.
        private static let answeredTime: UInt64 = 1_000_000_000
        /// How long before the end of the caller's time a complete answer is asked for: it takes a moment to come.
        private static let deliveryTime: UInt64 = 100_000_000

        /// The deadline of the starting task, by any clock: nothing is sent after it.
        let deadline: Deadline?
        private let timeout: UInt64
        /// Whether that is what the caller has left of its own time, which says nothing about the server.
        let isTimedByCaller: Bool
        /// When the whole exchange must be over.
        let whole: UInt64
        /// When to ask for a complete answer at the latest.
        private let lastChance: UInt64

        init(of request: TransferRequest, by driver: TransferDriver) {
            // The deadline is that of the starting task: an engine doesn't wait for an answer that would be too late.
            // The seconds of another clock may be of any length.
            deadline = Deadline.current
            let timeLeft = deadline.flatMap { $0.isByContinuousClock ? $0.remaining.inSeconds : nil }
            let limit = request.urlRequest.timeoutInterval
            let wholeTimeout = driver.settings.wholeTimeout
            isTimedByCaller = (timeLeft ?? .infinity) < limit
            timeout = Self.nanoseconds(min(limit, timeLeft ?? .infinity))
            guard timeLeft != nil || wholeTimeout != nil else {
                (whole, lastChance) = (.max, .max)
                return
            }
            let now = driver.timer.now()
            whole = wholeTimeout.map { now + Self.nanoseconds($0) } ?? .max
            let ownTime = timeLeft.map { Self.nanoseconds($0) }
            lastChance = min(whole, ownTime.map { now + $0 - min(Self.deliveryTime, $0 / 8) } ?? .max)
        }

        private static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
            // A billion seconds amount to no limit, and are far from an overflow. `max` in this order makes NaN 0:
            // converting it would trap.
            UInt64(min(1e9, max(0, seconds)) * 1e9)
        }

        /// When to check the limits.
        func next(of state: State) -> UInt64 { min(limit(of: state), question(about: state)) }

        /// When a server has been silent for too long since an instant.
        func limit(after activity: UInt64) -> UInt64 { min(activity + timeout, whole) }

        /// When the exchange has taken too long.
        func limit(of state: State) -> UInt64 {
            guard !state.course.isOver, state.answer?.isEnding != true else { return .max }
            if let since = state.waitingSince { return limit(after: since) }
            // A server that is paused, or that was sent nothing yet, may be silent, and so may one whose answer waits
            // for a disk. A redirect doesn't wait for that.
            let isDraining = state.course.isDraining, waits = state.waitsInEngine > 0 && !isDraining
            guard state.holds.isEmpty, !waits, let activity = state.lastActivity else { return whole }
            return min(limit(after: activity), isDraining ? activity + TransferCourse.redirectBodyTime : .max)
        }

        /// When to ask the engine whether the answer is complete, although the request's body isn't sent.
        func question(about state: State) -> UInt64 {
            guard let answer = state.answer, answer.mayBeWhole, !answer.isEnding, !state.course.isDraining,
                let activity = state.lastActivity
            else { return .max }
            // A connection of its own is worth the wait, and a paused reader may leave a rest of the answer there.
            guard answer.isMultiplexed, state.holds.isEmpty else { return lastChance }
            return min(activity + Self.answeredTime, lastChance)
        }

        /// Whether it is the last time to ask.
        func isLastChance(at now: UInt64) -> Bool { lastChance <= now }
    }
}
