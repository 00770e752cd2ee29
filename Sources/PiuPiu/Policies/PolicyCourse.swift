/// The policies of one exchange, as the task that carries it out calls them.
///
/// Its methods are not inlined: the frames of functions that suspend are on the heap, and are to be small.
final class PolicyCourse<Content: Sendable> {
    typealias Part = PolicyPart<Content>
    typealias Work = PolicyStack<Content>.Work

    /// What comes before another attempt.
    final class Wait {
        let delay: Duration
        let clock: any Clock<Duration>

        init(delay: Duration, clock: any Clock<Duration>) {
            self.delay = delay
            self.clock = clock
        }
    }

    private let exchange: PendingExchange<Content>
    /// Those that have begun, the outermost first.
    private var parts: [Part]
    /// How many of them stand above the exchange.
    private let levelsAbove: Int
    private var outcome: Part.Outcome = .failure(CancellationError())

    /// The exchange as the innermost of them hands it on.
    private(set) var attempt: PolicyAttempt

    /// - Parameters:
    ///   - exchange: what is below the first policy.
    ///   - attempt: the exchange as that policy hands it on.
    ///   - top: the part of that policy, which has begun; `nil` if there is none.
    @inline(never)
    init(_ exchange: PendingExchange<Content>, _ attempt: PolicyAttempt, under top: Part?) {
        self.exchange = exchange
        self.attempt = attempt
        parts = top.map { [$0] } ?? []
        levelsAbove = parts.count
    }

    /// Begins the policies below those that have begun.
    ///
    /// - Returns: what carries out the exchange below them; `nil` if there is an outcome already.
    @inline(never)
    func begin() -> Work? {
        do {
            try Task.checkCancellation()
            guard let stack = exchange.stack else { return exchange.response(to:) }
            for level in stack.levels.dropFirst(parts.count - levelsAbove) {
                attempt.endsPromptly = level.endsPromptly && attempt.body.isInMemory
                guard let part: Part = try level.policy.begin(&attempt) else { return level.carryOut }
                parts.append(part)
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
    /// - Returns: what is to be waited for before the innermost of those that are left begins again; `nil` if none is left.
    @inline(never)
    func end() -> Wait? {
        while let part = parts.last {
            if Task.isCancelled { outcome = .failure(CancellationError()) }
            switch part.end(with: &outcome) {
            case .over:
                parts.removeLast()
            case .again(let delay, let clock):
                // Nothing keeps the outcome while this waits: a stream would be open all the time.
                outcome = .failure(CancellationError())
                return Wait(delay: delay, clock: clock)
            }
        }
        return nil
    }

    /// The wait is over.
    ///
    /// - Returns: whether what is below is to begin again; otherwise there is an outcome.
    @inline(never)
    func beginAgain() -> Bool {
        guard let part = parts.last else { return false }
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
        parts.removeLast()
        return false
    }

    /// The wait has failed.
    @inline(never)
    func giveUp(because error: any Error) {
        parts.removeLast()
        outcome = .failure(error)
    }

    @inline(never)
    func response() throws -> Response<Content> { try outcome.get() }
}
