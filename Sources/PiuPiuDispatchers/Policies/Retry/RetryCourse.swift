/// The decisions of one exchange, attempt by attempt.
///
/// A pure value that takes the outcome of an attempt and answers what is to be done; ``RetryPart`` carries it out.
package struct RetryCourse: Sendable {
    /// What to do next.
    package enum Step: Sendable, Equatable {
        /// This outcome is final; give this many tokens back to the budget.
        case deliver(tokens: Int)
        /// Wait and try again, if the budget has this many tokens.
        case retry(after: Duration, cost: Int)
    }

    /// The facts about an attempt.
    package struct Facts: Sendable {
        /// Whether the rules, including the user's own, want another attempt.
        package var isWanted: Bool
        /// Whether the budget counts the exchange as a success.
        package var isSuccess: Bool
        /// Whether there is no body, or one that can be sent again (rule BODY).
        package var canSendAgain: Bool
        /// Whether a policy inside has decided already (rule COUNT).
        package var isDecidedInside: Bool
        /// The status of the response.
        package var status: StatusCode?
        /// The minimum wait that the server asks for.
        package var retryAfter: Duration?
        /// The time left until the deadline, if there is one.
        package var timeLeft: Duration?

        package init(
            isWanted: Bool, isSuccess: Bool = false, canSendAgain: Bool = true, isDecidedInside: Bool = false,
            status: StatusCode? = nil, retryAfter: Duration? = nil, timeLeft: Duration? = nil
        ) {
            self.isWanted = isWanted
            self.isSuccess = isSuccess
            self.canSendAgain = canSendAgain
            self.isDecidedInside = isDecidedInside
            self.status = status
            self.retryAfter = retryAfter
            self.timeLeft = timeLeft
        }
    }

    private let maximumAttempts: Int
    private let timing: RetryTiming

    /// The number of the current or last attempt.
    package private(set) var attempt = 1

    /// The cost of the last retry.
    private var lastCost: Int?

    package init(maximumAttempts: Int, timing: RetryTiming) {
        self.maximumAttempts = maximumAttempts
        self.timing = timing
    }

    /// What to do after the attempt that has just ended.
    ///
    /// - Parameter random: makes a random number, from 0 to below 1; called only for a retry.
    package func next(after facts: Facts, random: () -> Double) -> Step {
        // A policy inside that has decided has also counted.
        if facts.isDecidedInside { return .deliver(tokens: 0) }
        let delivery = Step.deliver(tokens: facts.isSuccess ? tokensOfSuccess : 0)
        guard facts.isWanted, facts.canSendAgain, attempt < maximumAttempts else { return delivery }
        let isThrottled = facts.status == .tooManyRequests || facts.status == .serviceUnavailable
        let wait = timing.wait(
            afterAttempt: attempt, isThrottled: isThrottled, retryAfter: facts.retryAfter, random: random())
        guard let wait else { return delivery }
        // After a wait that takes all the remaining time, nothing could be sent.
        if let timeLeft = facts.timeLeft, wait >= timeLeft { return delivery }
        // A 503 doesn't prove that the server was spared work: it costs the full price.
        let isSpared = facts.status == .tooManyRequests
        return .retry(after: wait, cost: isSpared ? RetryTokens.throttledCost : RetryTokens.cost)
    }

    /// How many tokens a success gives back to the budget.
    package var tokensOfSuccess: Int { lastCost ?? 1 }

    /// Another attempt begins, which has cost this many tokens.
    package mutating func begin(cost: Int) {
        attempt += 1
        lastCost = cost
    }
}
