import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange under a ``HedgePolicy``, as the work of a run of its own: carries out the decisions of a
/// ``HedgeCourse``. The copies are cancelled when the run settles.
struct HedgeRun<Content: Sendable>: Sendable {
    private let policy: HedgePolicy
    private let exchange: PendingExchange<Content>
    private let body: RetryBody
    private let scope: RetryScope
    private let budget: RetryBudget?
    /// The scope of a retry of this exchange around this.
    private let outer: RetryScope?
    private let run: FutureRun
    private let futures: ParallelFutures
    private let updates: Locked<HedgeUpdates>

    init(_ exchange: PendingExchange<Content>, by policy: HedgePolicy, for run: FutureRun) {
        self.policy = policy
        self.exchange = exchange
        self.run = run
        body = RetryBody(exchange.body, of: exchange.kind)
        let context = PolicyContext.current
        let outer = context.retryScope.flatMap { outer in
            context.isSameExchange(exchange.urlRequest, as: outer.urlRequest) ? outer : nil
        }
        self.outer = outer
        budget = policy.budget(inside: outer)
        scope = RetryScope(of: exchange.urlRequest, in: context, with: budget, isOfHedge: true)
        let updates = Locked(HedgeUpdates())
        self.updates = updates
        futures = ParallelFutures(for: run) { update, copy in updates.withLock { $0.passes(update, of: copy) } }
    }

    /// The response of the winning copy; throws the error of the last one if all fail.
    func response() async throws -> Response<Content> {
        var course = HedgeCourse(maximumCopies: policy.copies)
        var copies: Set = [send(1)]
        var timer = startTimer(for: course)
        while let (place, outcome) = await futures.next() {
            var step = HedgeCourse.Step.wait
            if place == timer {
                timer = nil
                // A clock that fails sends no copy.
                if outcome.value != nil { step = course.delayPassed(canSendAgain: canSendAgain) }
            } else if copies.remove(place) != nil {
                step = try next(after: outcome.typed(), of: place, in: &course)
            }
            if case .send(let cost) = step {
                if take(cost) {
                    if let timer { futures.giveUp(timer) }
                    course.begin()
                    copies.insert(send(course.sent))
                    timer = startTimer(for: course)
                    step = .wait
                } else {
                    step = course.refuse()
                }
            }
            guard case .deliver(let tokens) = step else { continue }
            return try deliver(outcome.typed(), of: place, tokens)
        }
        throw CancellationError()
    }

    /// Sends a copy.
    ///
    /// - Returns: its place.
    private func send(_ copy: Int) -> Int {
        var context = PolicyContext.current
        context.retryScope = scope
        context.hedge = HedgeScope(scope: scope, copy: copy)
        var request = exchange.urlRequest
        if scope.hasStoredFailure { request.bypassCaches() }
        return ExchangeLocals.$current.withValue(context.local) {
            futures.start(exchange.makeFuture(from: request, with: body.body))
        }
    }

    /// Starts the delay, if a copy may be sent after it.
    private func startTimer(for course: HedgeCourse) -> Int? {
        guard course.mayGrow else { return nil }
        if let left = Deadline.current?.remaining, policy.delay >= left { return nil }
        return futures.start(
            ResponseFuture<Void> { [policy] () async throws in try await policy.clock.sleep(latency: policy.delay) })
    }

    private var canSendAgain: Bool {
        body.canBeSentAgain && Deadline.current?.isOver != true && scope.serverWait == nil
            && PolicyContext.current.credentialRemoval(of: exchange.urlRequest) == nil
    }

    private func take(_ cost: Int) -> Bool { budget?.take(cost, for: exchange.urlRequest.url) ?? true }

    private func next(
        after outcome: FutureOutcome<Response<Content>>, of copy: Int, in course: inout HedgeCourse
    ) throws -> HedgeCourse.Step {
        let result: Result<TransferHead, any Error>
        switch outcome {
        case .success(let response): result = .success(response.head)
        case .failure(let error): result = .failure(error)
        // A cancellation ends the exchange, also one from below.
        case .cancelled: throw CancellationError()
        }
        let ended = ExchangeAttempt(number: copy + 1, result: result)
        let isUnsent = updates.withLock { $0.isUnsent(copy, reports: exchange.stack?.reportsUpdates ?? false) }
        let step = course.end(facts(of: ended, isUnsent: isUnsent))
        if case .deliver = step {} else { updates.withLock { $0.end(copy) } }
        return step
    }

    private func facts(of ended: ExchangeAttempt, isUnsent: Bool) -> HedgeCourse.Facts {
        // It wasn't sent, but the first copy may still be answered.
        if isTooLate(ended.error) { return HedgeCourse.Facts(isPassing: true, isClosing: true) }
        // Hedged requests are idempotent.
        guard policy.rules.isWanted(after: ended, isIdempotent: true) else {
            // It wasn't sent, for its credential or its adapter has failed, unlike that of another copy. The error may
            // have a head: that of the login server.
            if isUnsent && ended.error != nil || hasNoPlace(ended.error) {
                return HedgeCourse.Facts(isPassing: true, isClosing: true)
            }
            return HedgeCourse.Facts(isPassing: false, isSuccess: policy.rules.isSuccess(ended))
        }
        scope.note(failure: ended.head)
        if let wait = RetryAfter.wait(after: ended, now: policy.now().timeIntervalSince1970), wait > .zero {
            scope.note(ServerWait(wait, by: policy.clock))
        }
        return HedgeCourse.Facts(
            isPassing: true, canSendAgain: canSendAgain,
            isRetriedElsewhere: scope.isDecidedInside || outer != nil,
            // What was refused here would be refused again.
            isClosing: ended.error is any RefusalError, status: ended.statusCode)
    }

    /// Whether a copy was a stream beyond the limit of open ones: another copy may be one of those.
    private func hasNoPlace(_ error: (any Error)?) -> Bool { (error as? TransferError)?.kind == .tooManyStreams }

    /// Whether the user has signed out, or the dispatcher is ending: it lets go on what it has started.
    private func isTooLate(_ error: (any Error)?) -> Bool {
        if case AuthenticationError.credentialRemoved? = error { return true }
        return (error as? TransferError)?.kind == .sessionInvalidated
    }

    private func deliver(
        _ outcome: FutureOutcome<Response<Content>>, of copy: Int, _ tokens: Int
    ) throws -> Response<Content> {
        if tokens > 0, !scope.isCountedElsewhere, let url = exchange.urlRequest.url {
            budget?.give(tokens, for: url)
        }
        if let update = updates.withLock({ $0.win(copy) }) { run.receive(update) }
        return try outcome.get()
    }
}
