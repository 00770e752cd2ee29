/// The decisions of one exchange that may be sent in several copies.
///
/// A pure value that takes the events of the copies and returns what to do; ``HedgeRun`` carries it out.
package struct HedgeCourse: Sendable {
    /// What to do next.
    package enum Step: Sendable, Equatable {
        /// Send another copy, if the budget has this many tokens, and call ``begin()``; otherwise call ``refuse()``.
        case send(cost: Int)
        /// Wait for the running copies.
        case wait
        /// This outcome is final; give this many tokens back to the budget.
        case deliver(tokens: Int)
    }

    /// The facts about a copy that has ended.
    package struct Facts: Sendable {
        /// Whether the outcome is transient (rule WHAT), and so not acceptable.
        package var isPassing: Bool
        /// Whether the budget counts the exchange as a success.
        package var isSuccess: Bool
        /// Whether the request can be sent again: its body is unchanged, there is time, and no server asks for a wait.
        package var canSendAgain: Bool
        /// Whether a retry policy, inside or outside, handles failures (rule COUNT).
        package var isRetriedElsewhere: Bool
        /// Whether no further copy is sent: this one was refused here, or the user has signed out.
        package var isClosing: Bool
        /// The status of the response.
        package var status: StatusCode?

        package init(
            isPassing: Bool, isSuccess: Bool = false, canSendAgain: Bool = true, isRetriedElsewhere: Bool = false,
            isClosing: Bool = false, status: StatusCode? = nil
        ) {
            self.isPassing = isPassing
            self.isSuccess = isSuccess
            self.canSendAgain = canSendAgain
            self.isRetriedElsewhere = isRetriedElsewhere
            self.isClosing = isClosing
            self.status = status
        }
    }

    /// What a success gives back: never the cost of its copies, or a slow server would get two copies for ever.
    package static let reward = 1

    /// How many copies have been sent.
    package private(set) var sent = 1

    private let maximumCopies: Int
    private var running = 1
    private var isClosed = false

    /// Makes the course of an exchange with one copy sent.
    ///
    /// - Parameter maximumCopies: the maximum number of copies.
    package init(maximumCopies: Int) {
        self.maximumCopies = maximumCopies
    }

    /// Whether there may be further copies, so that waiting for the delay makes sense.
    package var mayGrow: Bool { !isClosed && sent < maximumCopies }

    /// The delay after the last copy has passed without an answer.
    package func delayPassed(canSendAgain: Bool) -> Step {
        mayGrow && canSendAgain ? .send(cost: RetryTokens.cost) : .wait
    }

    /// A copy has ended.
    package mutating func end(_ facts: Facts) -> Step {
        running -= 1
        guard facts.isPassing else { return .deliver(tokens: facts.isSuccess ? Self.reward : 0) }
        if facts.isClosing { isClosed = true }
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

    /// The budget is empty: no more copies are sent.
    package mutating func refuse() -> Step {
        isClosed = true
        return rest
    }

    /// What to do without another copy: the outcome of the last running copy is final.
    private var rest: Step { running > 0 ? .wait : .deliver(tokens: 0) }
}
