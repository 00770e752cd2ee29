/// The decisions of one exchange that may be sent in several copies.
///
/// A pure value that takes what happens to the copies and answers what is to be done; ``HedgeRun`` carries it out.
package struct HedgeCourse: Sendable {
    /// What is to be done.
    package enum Step: Sendable, Equatable {
        /// Send another copy, if the budget has so many tokens; then tell of it by ``begin()``, or else by ``refuse()``.
        case send(cost: Int)
        /// Wait for the copies that run.
        case wait
        /// This outcome is the outcome; so many tokens go back to the budget, if there are any to be given.
        case deliver(tokens: Int)
    }

    /// What is known of a copy that has ended.
    package struct Facts: Sendable {
        /// Whether another attempt would be made after this outcome (rule WHAT), so that it isn't acceptable.
        package var isPassing: Bool
        /// Whether the exchange was a success, as the budget counts it.
        package var isSuccess: Bool
        /// Whether the request can be sent once more: its body is the same, and there is time.
        package var canSendAgain: Bool
        /// Whether failures are the business of a retry policy, inside or outside (rule COUNT).
        package var isRetriedElsewhere: Bool
        /// Whether the server asks not to be asked again at once.
        package var asksForTime: Bool
        /// The status of the response.
        package var status: StatusCode?

        package init(
            isPassing: Bool, isSuccess: Bool = false, canSendAgain: Bool = true, isRetriedElsewhere: Bool = false,
            asksForTime: Bool = false, status: StatusCode? = nil
        ) {
            self.isPassing = isPassing
            self.isSuccess = isSuccess
            self.canSendAgain = canSendAgain
            self.isRetriedElsewhere = isRetriedElsewhere
            self.asksForTime = asksForTime
            self.status = status
        }
    }

    /// What a success gives back to the budget. Never what its copies cost: a slow server would get two for ever.
    package static let reward = 1

    /// How many copies were sent.
    package private(set) var sent = 1

    private let maximumCopies: Int
    private var running = 1
    private var isClosed = false

    /// An exchange of which one copy was sent.
    ///
    /// - Parameter maximumCopies: how many there may be.
    package init(maximumCopies: Int) {
        self.maximumCopies = maximumCopies
    }

    /// Whether there may be further copies, so that the delay is to be waited for.
    package var mayGrow: Bool { !isClosed && sent < maximumCopies }

    /// The delay after the last copy is over, and no answer has come.
    package func delayPassed(canSendAgain: Bool) -> Step {
        mayGrow && canSendAgain ? .send(cost: RetryTokens.cost) : .wait
    }

    /// A copy has ended.
    package mutating func end(_ facts: Facts) -> Step {
        running -= 1
        guard facts.isPassing else { return .deliver(tokens: facts.isSuccess ? Self.reward : 0) }
        if facts.asksForTime { isClosed = true }
        if mayGrow, facts.canSendAgain, !facts.isRetriedElsewhere {
            let isSpared = facts.status == .tooManyRequests
            return .send(cost: isSpared ? RetryTokens.throttledCost : RetryTokens.cost)
        }
        return rest
    }

    /// Another copy was sent.
    package mutating func begin() {
        sent += 1
        running += 1
    }

    /// The budget is empty: there are no more copies.
    package mutating func refuse() -> Step {
        isClosed = true
        return rest
    }

    /// What is left to do: the outcome of the last copy is the outcome.
    private var rest: Step { running > 0 ? .wait : .deliver(tokens: 0) }
}
