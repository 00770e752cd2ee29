/// The decisions of one exchange, attempt by attempt.
///
/// A pure value that takes the outcome of an attempt and answers what is to be done; ``RetryPart`` carries it out.
package struct RetryCourse: Sendable {
    /// What is to be done.
    package enum Step: Sendable, Equatable {
        /// This outcome is the outcome; so many tokens go back to the budget, if there are any to be given.
        case deliver(tokens: Int)
        /// Wait so long and try again, if the budget has so many tokens.
        case retry(after: Duration, cost: Int)
    }

    /// What is known of an attempt.
    package struct Facts: Sendable {
        /// Whether the rules, and the user's own, want another attempt.
        package var isWanted: Bool
        /// Whether the exchange was a success, as the budget counts it.
        package var isSuccess: Bool
        /// Whether there is a body that can be sent again, or none (rule BODY).
        package var canSendAgain: Bool
        /// Whether a policy inside has decided already (rule COUNT).
        package var isDecidedInside: Bool
        /// The status of the response.
        package var status: StatusCode?
        /// What the server asks for at the least.
        package var retryAfter: Duration?
        /// What is left of the deadline, if there is one.
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

    /// The number of the attempt that runs, or has ended last.
    package private(set) var attempt = 1

    /// What the last retry has cost.
    private var lastCost: Int?

    package init(maximumAttempts: Int, timing: RetryTiming) {
        self.maximumAttempts = maximumAttempts
        self.timing = timing
    }

    /// What is to be done after the attempt that has just ended.
    ///
    /// - Parameter random: makes a random number, from 0 to below 1; called for a retry alone.
    package func next(after facts: Facts, random: () -> Double) -> Step {
        // What a policy inside has decided, it has counted, too.
        if facts.isDecidedInside { return .deliver(tokens: 0) }
        let delivery = Step.deliver(tokens: facts.isSuccess ? lastCost ?? 1 : 0)
        guard facts.isWanted, facts.canSendAgain, attempt < maximumAttempts else { return delivery }
        let isThrottled = facts.status == .tooManyRequests || facts.status == .serviceUnavailable
        let wait = timing.wait(
            afterAttempt: attempt, isThrottled: isThrottled, retryAfter: facts.retryAfter, random: random())
        guard let wait else { return delivery }
        // Nothing could be sent after a wait that takes all the time there is.
        if let timeLeft = facts.timeLeft, wait >= timeLeft { return delivery }
        // A 503 is no proof that a server was spared: it counts in full.
        let isSpared = facts.status == .tooManyRequests
        return .retry(after: wait, cost: isSpared ? RetryTokens.throttledCost : RetryTokens.cost)
    }

    /// Another attempt begins, for which so many tokens were taken.
    package mutating func begin(cost: Int) {
        attempt += 1
        lastCost = cost
    }
}
