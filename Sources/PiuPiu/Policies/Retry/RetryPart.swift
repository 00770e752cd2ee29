import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a ``RetryPolicy`` in one exchange: carries out what a ``RetryCourse`` decides.
final class RetryPart<Content: Sendable>: PolicyPart<Content> {
    private let policy: RetryPolicy
    /// The exchange with the changes of this policy.
    private let attempt: PolicyAttempt
    private let body: RetryBody
    private let scope: RetryScope
    private var course: RetryCourse
    private var history: [ExchangeAttempt] = []
    /// The outcome of the last attempt, for a body that may turn out not to be sendable again.
    private var fallback: Outcome?
    /// What the budget has given for a retry that is not sent yet.
    private var unspentCost = 0

    init(_ policy: RetryPolicy, _ attempt: inout PolicyAttempt) {
        self.policy = policy
        body = RetryBody(attempt.body, of: attempt.kind)
        scope = RetryScope(of: attempt.urlRequest, in: attempt.context, with: policy.budget)
        course = RetryCourse(maximumAttempts: policy.maximumAttempts, timing: policy.timing)
        attempt.context.retryScope?.enter(scope)
        attempt.urlRequest = policy.keyed(attempt.urlRequest)
        attempt.body = body.body
        attempt.context.retryScope = scope
        self.attempt = attempt
        super.init()
    }

    /// Decides, takes the cost from the budget, and reports the decision.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    override func end(with outcome: inout Outcome) -> Turn {
        // A cancellation ends the exchange, also one that comes from below.
        if case .failure(let error) = outcome, error.isCancellation { return .over }
        var ended = ExchangeAttempt(number: course.attempt, result: outcome.map { $0.head })
        switch course.next(after: facts(of: ended), random: policy.random) {
        case .deliver(let tokens):
            if tokens > 0, let url = attempt.urlRequest.url { policy.budget?.give(tokens, for: url) }
        case .retry(let delay, let cost):
            // The user's decision may have cancelled the exchange.
            if Task.isCancelled {
                outcome = .failure(CancellationError())
                return .over
            }
            guard policy.budget?.take(cost, for: attempt.urlRequest.url) ?? true else { break }
            unspentCost = cost
            course.begin(cost: cost)
            ended.delay = delay
            history.append(ended)
            attempt.context.deadline?.history?.record(history, of: scope)
            attempt.work.run.receive(TransferUpdate(stage: .retrying(attempt: course.attempt, after: delay)))
            observation?.report(.retrying(attempt: course.attempt, after: delay))
            fallback = body.hasFiles ? outcome : nil
            return .again(after: delay, by: policy.clock)
        }
        if !history.isEmpty { outcome = Self.outcome(outcome, after: history) }
        return .over
    }

    override func beginAgain() throws -> NewTurn {
        if let fallback = fallback.take(), !body.canBeSentAgain {
            return .outcome(Self.outcome(fallback, after: history.dropLast()))
        }
        try attempt.context.deadline?.check(attempt.urlRequest, after: history)
        unspentCost = 0
        scope.begin(attempt: course.attempt)
        observation?.report(.restarted)
        return .attempt(attempt)
    }

    /// Gives the cost of a retry that is never sent back to the budget.
    override func dropTurn() {
        if let url = attempt.urlRequest.url { policy.budget?.give(unspentCost, for: url) }
        unspentCost = 0
    }

    /// The observation of the request as it was asked for.
    private var observation: ExchangeObservation? { attempt.context.observation(of: scope.urlRequest) }

    private func facts(of ended: ExchangeAttempt) -> RetryCourse.Facts {
        if scope.isDecidedInside { return RetryCourse.Facts(isWanted: false, isDecidedInside: true) }
        var isWanted = policy.rules.isWanted(after: ended, isIdempotent: policy.isIdempotent(attempt.urlRequest))
        if let decision = policy.decision {
            isWanted = PolicyContext.$current.withValue(attempt.context) {
                decision(attempt.urlRequest, ended, isWanted)
            }
        }
        guard isWanted else { return RetryCourse.Facts(isWanted: false, isSuccess: policy.rules.isSuccess(ended)) }
        return RetryCourse.Facts(
            isWanted: true, canSendAgain: body.canBeSentAgain, status: ended.statusCode,
            retryAfter: ended.head.flatMap { RetryAfter.wait(in: $0, now: policy.now().timeIntervalSince1970) }
                ?? (ended.error as? any RefusalError)?.retryAfter,
            timeLeft: attempt.context.deadline?.remaining)
    }

    /// The response, or the error, with the attempts before it.
    private static func outcome(_ outcome: Outcome, after attempts: [ExchangeAttempt]) -> Outcome {
        switch outcome {
        case .success(let response):
            var head = response.head
            head.earlierAttempts = attempts
            return .success(Response(data: response.data, urlRequest: response.urlRequest, head: head))
        case .failure(let error):
            guard var error = error as? any AttemptError else { return outcome }
            error.earlierAttempts = attempts
            return .failure(error)
        }
    }
}
