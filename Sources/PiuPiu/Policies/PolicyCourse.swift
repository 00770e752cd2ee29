/// Runs the parts of all policies of one exchange, for the task that carries it out.
///
/// Its methods are not inlined, to keep the frames of the functions that suspend small: they are on the heap.
final class PolicyCourse<Content: Sendable> {
    typealias Part = PolicyPart<Content>
    typealias Work = PolicyStack<Content>.Work

    /// The wait before another attempt.
    final class Wait {
        let delay: Duration
        let clock: any Clock<Duration>

        init(delay: Duration, clock: any Clock<Duration>) {
            self.delay = delay
            self.clock = clock
        }
    }

    private let exchange: PendingExchange<Content>
    /// The innermost part that has begun; each refers to the one above it.
    private var innermost: Part?
    /// How many policies below the first one have begun.
    private var depth = 0
    private var outcome: Part.Outcome = .failure(CancellationError())

    /// The exchange with the changes of all parts so far.
    private(set) var attempt: PolicyAttempt

    /// - Parameters:
    ///   - exchange: everything below the first policy.
    ///   - attempt: the exchange with the changes of that policy.
    ///   - top: the part of that policy, which has begun; `nil` if there is none.
    @inline(never)
    init(_ exchange: PendingExchange<Content>, _ attempt: PolicyAttempt, under top: Part?) {
        self.exchange = exchange
        self.attempt = attempt
        innermost = top
    }

    /// Begins the policies below those that have begun.
    ///
    /// - Returns: the work below them; `nil` if there is an outcome already.
    @inline(never)
    func begin() -> Work? {
        do {
            try Task.checkCancellation()
            guard let stack = exchange.stack else { return exchange.responseBelow }
            for level in stack.levels.dropFirst(depth) {
                attempt.endsPromptly = level.endsPromptly && attempt.body.isInMemory
                guard let part: Part = try level.policy.begin(&attempt) else { return level.carryOut }
                part.above = innermost
                innermost = part
                depth += 1
            }
            return stack.carryOut
        } catch {
            fail(with: error)
            return nil
        }
    }

    @inline(never)
    func succeed(with response: Response<Content>) {
        outcome = .success(response)
    }

    @inline(never)
    func fail(with error: any Error) {
        outcome = .failure(error.isCancellation ? CancellationError() : error)
    }

    /// Ends the policies, the innermost first.
    ///
    /// - Returns: the wait before the innermost remaining policy begins again; `nil` if none remains.
    @inline(never)
    func end() -> Wait? {
        while let part = innermost {
            if Task.isCancelled { outcome = .failure(CancellationError()) }
            switch part.end(with: &outcome) {
            case .over: removeInnermost()
            case .again(let delay, let clock):
                // Nothing retains the outcome during the wait: a stream would stay open.
                outcome = .failure(CancellationError())
                return Wait(delay: delay, clock: clock)
            }
        }
        return nil
    }

    /// The wait is over.
    ///
    /// - Returns: whether everything below is to begin again; otherwise there is an outcome.
    @inline(never)
    func beginAgain() -> Bool {
        guard let part = innermost else { return false }
        do {
            try Task.checkCancellation()
            switch try part.beginAgain() {
            case .attempt(let attempt):
                self.attempt = attempt
                return true
            case .outcome(let outcome):
                self.outcome = outcome
            }
        } catch {
            outcome = .failure(error)
        }
        part.dropTurn()
        removeInnermost()
        return false
    }

    /// The wait has failed.
    @inline(never)
    func giveUp(because error: any Error) {
        innermost?.dropTurn()
        removeInnermost()
        outcome = .failure(error)
    }

    @inline(never)
    func response() throws -> Response<Content> { try outcome.get() }

    private func removeInnermost() {
        innermost = innermost?.above
        // Below zero once the first policy has ended, which is above the levels; nothing begins after that.
        depth -= 1
    }
}
