import Foundation

/// Runs the parts of all policies of one exchange, for the task that carries it out.
///
/// Its methods are not inlined, to keep the frames of the functions that suspend small: they are on the heap.
final class PolicyCourse {
    /// The wait before another attempt.
    final class Wait {
        let delay: Duration
        let clock: any Clock<Duration>
        let keepsOutcome: Bool

        init(delay: Duration, clock: any Clock<Duration>, keepsOutcome: Bool) {
            self.delay = delay
            self.clock = clock
            self.keepsOutcome = keepsOutcome
        }
    }

    /// The innermost part that has begun; each refers to the one above it.
    private var innermost: PolicyPart?
    /// How many policies below the first one have begun.
    private var depth = 0

    /// The exchange with the changes of the innermost part that may begin again, or of one below it.
    var attempt: PolicyAttempt

    /// What everything below the innermost part has come to.
    var outcome = PolicyOutcome.cancelled

    /// The body of the response, if that is a stream.
    var stream: StreamedBody?

    /// - Parameters:
    ///   - exchange: everything below the first policy.
    ///   - work: carries it out.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    @inline(never)
    init<Content: Sendable>(_ exchange: PendingExchange<Content>, in work: InlineWork) {
        attempt = PolicyAttempt(exchange, in: work)
    }

    /// Begins the first policy.
    ///
    /// - Parameter part: begins its part.
    /// - Returns: the part.
    func beginFirst<Part: PolicyPart>(_ part: (inout PolicyAttempt) throws -> Part?) rethrows -> Part? {
        let part = try part(&attempt)
        innermost = part
        return part
    }

    /// Begins the policies below those that have begun.
    ///
    /// - Parameter exchange: everything below the first policy.
    /// - Returns: the work below them; `nil` if there is an outcome already.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    @inline(never)
    func begin<Content: Sendable>(_ exchange: PendingExchange<Content>) -> PolicyStack<Content>.Work? {
        do {
            try Task.checkCancellation()
            guard let stack = exchange.stack else { return exchange.responseBelow }
            while depth < stack.levels.count {
                let level = stack.levels[depth]
                attempt.endsPromptly = level.endsPromptly && attempt.body.isInMemory
                if let innermost, innermost.isRepeating { innermost.saved = PolicyPart.SavedAttempt(attempt) }
                guard let part = try level.policy.begin(&attempt) else { return level.carryOut }
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

    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    @inline(never)
    func succeed<Content: Sendable>(with response: Response<Content>?) {
        guard let response else { return }
        outcome = .response(response.head)
        if case .stream = attempt.kind { stream = response.data as? StreamedBody }
    }

    @inline(never)
    func fail(with error: any Error) {
        outcome = PolicyOutcome(failure: error)
        stream = nil
    }

    /// Ends the policies, the innermost first.
    ///
    /// - Returns: the wait before the innermost remaining policy begins again; `nil` if none remains.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    @inline(never)
    func end<Content: Sendable>(_ response: Response<Content>?) -> Wait? {
        restore()
        while let part = innermost {
            if Task.isCancelled { drop() }
            switch part.end(self, length: { Int64((response?.data as? Data)?.count ?? 0) }) {
            case .over: removeInnermost()
            case .again(let delay, let clock, let keepsOutcome):
                // Nothing retains the outcome during the wait: a stream would stay open.
                if !keepsOutcome { drop() }
                return Wait(delay: delay, clock: clock, keepsOutcome: keepsOutcome)
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
            if try part.beginAgain(self) {
                drop()
                return true
            }
        } catch {
            fail(with: error)
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
        fail(with: error)
    }

    /// What the exchange has come to.
    ///
    /// - Parameter response: that of the dispatcher below, if the outcome is one.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    @inline(never)
    func result<Content: Sendable>(_ response: Response<Content>?) throws -> Response<Content> {
        guard case .response(let head) = outcome, let response else { throw outcome.error }
        return Response(
            data: stream.flatMap { $0 as? Content } ?? response.data, urlRequest: response.urlRequest, head: head)
    }

    private func drop() {
        outcome = .cancelled
        stream = nil
    }

    private func removeInnermost() {
        innermost = innermost?.above
        // Below zero once the first policy has ended, which is above the levels; nothing begins after that.
        depth -= 1
        restore()
    }

    /// The exchange has the changes of the policies below the innermost part no more.
    private func restore() {
        guard let saved = innermost?.saved.take() else { return }
        attempt = saved.attempt
    }
}
