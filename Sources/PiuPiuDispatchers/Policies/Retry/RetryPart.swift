import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a ``RetryPolicy`` in one exchange: carries out what a ``RetryCourse`` decides.
final class RetryPart: PolicyPart {
    private let policy: RetryPolicy
    private let body: RetryBody
    private let scope: RetryScope
    private var course: RetryCourse
    private var history: [ExchangeAttempt] = []
    /// What the budget has given for a retry that is not sent yet.
    private var unspentCost = 0

    init(_ policy: RetryPolicy, _ attempt: inout PolicyAttempt) {
        self.policy = policy
        body = RetryBody(attempt.body, of: attempt.kind)
        scope = RetryScope(of: attempt.urlRequest, in: attempt.context, with: policy.budget)
        course = RetryCourse(maximumAttempts: policy.maximumAttempts, timing: policy.timing)
        attempt.context.retryScope?.enter(scope)
        attempt.context.observation(of: scope.urlRequest)?.beginAttempts()
        attempt.urlRequest = policy.keyed(attempt.urlRequest)
        attempt.body = body.body
        attempt.context.retryScope = scope
        super.init(isRepeating: true)
    }

    /// Decides, takes the cost from the budget, and reports the decision.
    override func end(_ exchange: PolicyCourse, length: () -> Int64) -> Turn {
        let result: Result<TransferHead, any Error>
        switch exchange.outcome {
        case .response(let head):
            // Most exchanges end so: nothing is to be decided.
            guard policy.decision != nil || !policy.rules.isFinal(head) else {
                let isSuccess = !scope.isDecidedInside && policy.rules.isSuccess(head)
                return deliver(isSuccess ? course.tokensOfSuccess : 0, in: exchange)
            }
            result = .success(head)
        case .failure(let error): result = .failure(error)
        // It ends the exchange, also one that comes from below.
        case .cancelled: return .over
        }
        var ended = ExchangeAttempt(number: course.attempt, result: result)
        let facts = facts(of: ended, in: exchange)
        switch course.next(after: facts, random: policy.random) {
        case .deliver(let tokens):
            return deliver(tokens, in: exchange)
        case .retry(let delay, let cost):
            // The user's decision may have cancelled the exchange.
            if Task.isCancelled {
                exchange.outcome = .cancelled
                return .over
            }
            guard policy.budget?.take(cost, for: exchange.attempt.urlRequest.url) ?? true else {
                return deliver(0, in: exchange)
            }
            unspentCost = cost
            course.begin(cost: cost)
            ended.delay = delay
            history.append(ended.shortened)
            exchange.attempt.context.deadline?.history?.record(history, of: scope)
            exchange.attempt.work.run.receive(TransferUpdate(stage: .retrying(attempt: course.attempt, after: delay)))
            observation(in: exchange)?.report(.retrying(attempt: course.attempt, after: delay))
            return .again(after: delay, by: policy.clock, keepsOutcome: body.hasFiles)
        }
    }

    /// The outcome is final; it gives these tokens back to the budget.
    private func deliver(_ tokens: Int, in exchange: PolicyCourse) -> Turn {
        if tokens > 0 { policy.budget?.give(tokens, for: exchange.attempt.urlRequest.url) }
        if !history.isEmpty { exchange.outcome = Self.outcome(exchange.outcome, after: history) }
        return .over
    }

    override func beginAgain(_ exchange: PolicyCourse) throws -> Bool {
        if body.hasFiles, !body.canBeSentAgain {
            exchange.outcome = Self.outcome(exchange.outcome, after: history.dropLast())
            return false
        }
        try exchange.attempt.context.deadline?.check(exchange.attempt.urlRequest, after: history)
        if let removal = exchange.attempt.context.credentialRemoval(of: scope.urlRequest) { throw removal }
        if scope.hasStoredFailure { exchange.attempt.urlRequest.bypassCaches() }
        unspentCost = 0
        scope.begin(attempt: course.attempt)
        body.beginAgain()
        observation(in: exchange)?.reportRestart(attempt: course.attempt)
        return true
    }

    /// Gives the cost of a retry that is never sent back to the budget.
    override func dropTurn() {
        policy.budget?.give(unspentCost, for: scope.urlRequest.url)
        unspentCost = 0
    }

    /// The observation of the request as it was asked for.
    private func observation(in exchange: PolicyCourse) -> ExchangeObservation? {
        exchange.attempt.context.observation(of: scope.urlRequest)
    }

    private func facts(of ended: ExchangeAttempt, in exchange: PolicyCourse) -> RetryCourse.Facts {
        if scope.isDecidedInside { return RetryCourse.Facts(isWanted: false, isDecidedInside: true) }
        let urlRequest = exchange.attempt.urlRequest
        var isWanted = policy.rules.isWanted(
            after: ended, isIdempotent: policy.isIdempotent(urlRequest),
            wasSent: scope.wasSent || exchange.attempt.work.run.latestStep.wasSent || body.hasFailed)
        if let decision = policy.decision {
            isWanted = ExchangeLocals.$current.withValue(exchange.attempt.context.local) {
                decision(urlRequest, ended, isWanted)
            }
        }
        guard isWanted else { return RetryCourse.Facts(isWanted: false, isSuccess: policy.rules.isSuccess(ended)) }
        scope.note(failure: ended.head)
        return RetryCourse.Facts(
            isWanted: true, canSendAgain: body.canBeSentAgain, status: ended.statusCode,
            retryAfter: minimumWait(after: ended),
            timeLeft: exchange.attempt.context.deadline?.remaining)
    }

    /// What a server has asked for, in this attempt or in another copy that a hedge has sent.
    private func minimumWait(after ended: ExchangeAttempt) -> Duration? {
        let known = scope.serverWait
        guard let wait = RetryAfter.wait(after: ended, now: policy.now().timeIntervalSince1970) else { return known }
        if wait > .zero { scope.note(ServerWait(wait, by: policy.clock)) }
        return max(wait, known ?? .zero)
    }

    /// The response, or the error, with the attempts before it.
    private static func outcome(_ outcome: PolicyOutcome, after attempts: [ExchangeAttempt]) -> PolicyOutcome {
        switch outcome {
        case .response(var head):
            head.earlierAttempts = attempts
            return .response(head)
        case .failure(let error):
            guard var error = error as? any AttemptError else { return outcome }
            error.earlierAttempts = attempts
            return .failure(error)
        case .cancelled:
            return outcome
        }
    }
}
