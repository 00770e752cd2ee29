import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange under a ``RetryPolicy``, as a part of the work of a future: carries out what a ``RetryCourse`` decides.
struct RetryRun<Content: Sendable>: Sendable {
    private typealias Outcome = Result<Response<Content>, any Error>

    /// What follows an attempt.
    private enum Turn {
        case deliver(Outcome)
        /// The outcome is kept where it may turn out that nothing can be sent again.
        case again(after: Duration, fallback: Outcome?)
    }

    private let policy: RetryPolicy
    private let exchange: PendingExchange<Content>
    private let urlRequest: URLRequest
    private let body: RetryBody
    private let scope: RetryScope
    private let observation: ExchangeObservation?
    private let work: InlineWork

    init(_ exchange: PendingExchange<Content>, by policy: RetryPolicy, in work: InlineWork) {
        self.policy = policy
        self.exchange = exchange
        self.work = work
        urlRequest = policy.keyed(exchange.urlRequest)
        body = RetryBody(exchange.body, of: exchange.kind)
        scope = RetryScope(of: exchange.urlRequest)
        observation = ExchangeObservation.current(for: exchange.urlRequest)
        RetryScope.current?.enter(scope)
    }

    /// The response of the last attempt; throws its error.
    func response() async throws -> Response<Content> {
        var course = RetryCourse(maximumAttempts: policy.maximumAttempts, timing: policy.timing)
        var history: [ExchangeAttempt] = []
        while true {
            // Nothing but the fallback keeps the outcome while this waits: a stream would be open all the time.
            switch turn(after: try await attempt(after: history), in: &course, &history) {
            case .deliver(let outcome):
                return try response(of: outcome, after: history)
            case .again(let delay, let fallback):
                try await policy.clock.sleep(latency: delay)
                try Task.checkCancellation()
                if let fallback, !body.canBeSentAgain { return try response(of: fallback, after: history.dropLast()) }
                scope.begin(attempt: course.attempt)
                observation?.report(.restarted)
            }
        }
    }

    /// Sends the request; throws nothing but a cancellation, or ``DeadlineExceeded`` where there is no time to send it.
    private func attempt(after history: [ExchangeAttempt]) async throws -> Outcome {
        try Task.checkCancellation()
        // The first is sent at once, and what sends it looks as well.
        if !history.isEmpty { try Deadline.check(urlRequest, after: history) }
        do {
            return .success(
                try await RetryScope.$current.withValue(scope) {
                    try await exchange.response(to: urlRequest, with: body.body, in: work)
                })
        } catch {
            // A cancellation ends the exchange, also one that comes from below.
            if Task.isCancelled || error.isCancellation { throw CancellationError() }
            return .failure(error)
        }
    }

    /// Decides, takes what that costs, and tells of it.
    private func turn(
        after outcome: Outcome, in course: inout RetryCourse, _ history: inout [ExchangeAttempt]
    ) -> Turn {
        var ended = ExchangeAttempt(number: course.attempt, result: outcome.map { $0.head })
        switch course.next(after: facts(of: ended), random: policy.random) {
        case .deliver(let tokens):
            if tokens > 0, let url = urlRequest.url { policy.budget?.give(tokens, for: url) }
            return .deliver(outcome)
        case .retry(let delay, let cost):
            guard policy.budget?.take(cost, for: urlRequest.url) ?? true else { return .deliver(outcome) }
            course.begin(cost: cost)
            ended.delay = delay
            history.append(ended)
            Deadline.current?.history?.record(history, of: exchange.urlRequest)
            work.run.receive(TransferUpdate(stage: .retrying(attempt: course.attempt, after: delay)))
            observation?.report(.retrying(attempt: course.attempt, after: delay))
            return .again(after: delay, fallback: body.hasFiles ? outcome : nil)
        }
    }

    private func facts(of ended: ExchangeAttempt) -> RetryCourse.Facts {
        if scope.isDecidedInside { return RetryCourse.Facts(isWanted: false, isDecidedInside: true) }
        let rules = policy.rules
        var isWanted = rules.isWanted(after: ended, isIdempotent: policy.isIdempotent(urlRequest))
        if let decision = policy.decision { isWanted = decision(urlRequest, ended, isWanted) }
        guard isWanted else { return RetryCourse.Facts(isWanted: false, isSuccess: rules.isSuccess(ended)) }
        return RetryCourse.Facts(
            isWanted: true, canSendAgain: body.canBeSentAgain, status: ended.statusCode,
            retryAfter: ended.head.flatMap { RetryAfter.wait(in: $0, now: policy.now().timeIntervalSince1970) }
                ?? (ended.error as? any RefusalError)?.retryAfter,
            timeLeft: Deadline.current?.remaining)
    }

    /// The response, or the error, with the attempts before it.
    private func response(of outcome: Outcome, after attempts: [ExchangeAttempt]) throws -> Response<Content> {
        guard !attempts.isEmpty else { return try outcome.get() }
        do {
            let response = try outcome.get()
            var head = response.head
            head.earlierAttempts = attempts
            return Response(data: response.data, urlRequest: response.urlRequest, head: head)
        } catch {
            guard var error = error as? any AttemptError else { throw error }
            error.earlierAttempts = attempts
            throw error
        }
    }
}
