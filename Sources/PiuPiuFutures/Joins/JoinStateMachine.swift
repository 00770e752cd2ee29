/// How the futures of a join ended.
@usableFromInline
package enum JoinEnd: Sendable {
    /// All have a value.
    case all
    /// The one at this place has the value that counts.
    case one(Int)
    case failed(any Error)
    case cancelled
}

/// The decisions of a join: which part may begin, and what the end of one means for the others.
///
/// A pure value without threads or tasks; ``JoinCore`` carries out its decisions, outside its lock. A `Token` stands
/// for a running part, to be given up when the join has ended; tests use a number.
package struct JoinStateMachine<Token: Sendable>: Sendable {
    /// What to do after a part has begun or ended.
    package enum Decision: Sendable {
        case none
        /// One more part may begin.
        case beginNext
        /// A part has failed, but an earlier one is just beginning, and its failure would count. Ask again soon.
        case askAgain
        case end(JoinEnd)
    }

    private let policy: JoinPolicy
    private let count: Int
    private let limit: Int
    private var next = 0
    /// How many parts the caller of the join begins, one after the other, before all others; and how many of them have
    /// begun.
    private var earlyCount = 0
    private var earlyBegun = 0
    /// Parts that a worker is just beginning: whether they suspend is not known yet.
    private var beginning: [Int] = []
    private var runningCount = 0
    private var successCount = 0
    /// By the places of the parts; empty while there are none.
    private var tokens: [Token?] = []
    /// A join that needs all values keeps a failure only if no earlier part has failed before: the last one counts.
    private var failures: [(place: Int, error: any Error)] = []
    private var hasAskedAgain = false
    private var failedCount = 0
    package private(set) var isEnded = false

    /// - Parameter limit: how many parts may run at once; less than one counts as one.
    package init(_ policy: JoinPolicy, count: Int, limit: Int?) {
        self.policy = policy
        self.count = count
        self.limit = limit.map { max($0, 1) } ?? .max
    }

    /// How many parts may begin now: none if the join has ended, or is certain to end with a failure (contract rule
    /// EARLY).
    package var beginnableCount: Int { max(0, min(limit - runningCount, unbegunCount)) }

    /// How many parts may still begin some time: none if ``beginnableCount`` stays zero, too.
    package var unbegunCount: Int {
        let hasFailed = policy == .all && !failures.isEmpty
        return isEnded || hasFailed ? 0 : count - next
    }

    /// The end of a join without parts.
    package mutating func endIfEmpty() -> JoinEnd? {
        guard count == 0 else { return nil }
        isEnded = true
        return policy == .all ? .all : .failed(AllFuturesFailedError(errors: []))
    }

    /// The part to begin now, if one may.
    package mutating func beginNext() -> Int? {
        guard beginnableCount > 0 else { return nil }
        defer { next += 1 }
        beginning.append(next)
        runningCount += 1
        return next
    }

    /// Begins those of the first parts that the limit lets begin.
    ///
    /// - Returns: those parts; the caller begins them in this order.
    package mutating func beginEarly(_ places: Range<Int>) -> Range<Int> {
        guard !isEnded else { return 0..<0 }
        let early = places.clamped(to: 0..<limit)
        earlyCount = early.count
        runningCount = early.count
        next = early.count
        return early
    }

    /// A part has begun and is running; false if it is too late, and the caller must give up the token.
    package mutating func hold(_ token: Token, for place: Int) -> Bool {
        if isEnded { return false }
        if tokens.isEmpty { tokens = Array(repeating: nil, count: count) }
        tokens[place] = token
        return true
    }

    /// A part has begun: it is running, or has ended with this outcome.
    package mutating func didBegin(_ place: Int, with outcome: FutureOutcome<Void>?) -> Decision {
        if place < earlyCount {
            earlyBegun += 1
        } else {
            beginning.removeAll { $0 == place }
        }
        if let outcome { return didEnd(place, with: outcome) }
        return isEnded ? .none : decision(askingAgain: true)
    }

    /// A part has ended.
    package mutating func didEnd(_ place: Int, with outcome: FutureOutcome<Void>) -> Decision {
        if !tokens.isEmpty { tokens[place] = nil }
        guard !isEnded else { return .none }
        runningCount -= 1
        switch (outcome, policy) {
        case (.success, .first), (.success, .firstSuccess): return end(.one(place))
        case (.success, .all): successCount += 1
        case (.failure(let error), .first): return end(.failed(error))
        case (.cancelled, .first): return end(.cancelled)
        case (.failure(let error), _):
            noteFailure(place, error)
        case (.cancelled, .firstSuccess): failedCount += 1
        case (.cancelled, .all):
            noteFailure(place, CancellationError())
        }
        return decision(askingAgain: true)
    }

    private mutating func noteFailure(_ place: Int, _ error: any Error) {
        failedCount += 1
        if policy == .all, let first = failures.last, first.place < place { return }
        failures.append((place, error))
    }

    /// Decides without waiting any longer for parts that are just beginning.
    package mutating func decideNow() -> Decision {
        isEnded ? .none : decision(askingAgain: false)
    }

    private mutating func decision(askingAgain: Bool) -> Decision {
        switch policy {
        case .all:
            if successCount == count { return end(.all) }
            if let first = failures.last {
                // Of several failures known at once, the first in order counts (contract rule GROUPS).
                if askingAgain, isBeginning(before: first.place) {
                    defer { hasAskedAgain = true }
                    return hasAskedAgain ? .none : .askAgain
                }
                return end(first.error is CancellationError ? .cancelled : .failed(first.error))
            }
        case .first:
            break
        case .firstSuccess:
            if failedCount == count {
                if failures.isEmpty { return end(.cancelled) }
                let errors = failures.sorted { $0.place < $1.place }.map(\.error)
                return end(.failed(AllFuturesFailedError(errors: errors)))
            }
        }
        return beginnableCount > 0 ? .beginNext : .none
    }

    private func isBeginning(before place: Int) -> Bool {
        beginning.contains { $0 < place } || earlyBegun < min(earlyCount, place)
    }

    private mutating func end(_ end: JoinEnd) -> Decision {
        isEnded = true
        return .end(end)
    }

    /// The join has settled: returns the tokens to give up.
    package mutating func giveUp() -> [Token] {
        isEnded = true
        defer { tokens = [] }
        return heldTokens()
    }

    // A lazy collection would look up a key path at run time, for each part.

    /// The tokens of the running parts, as many as the limit at most.
    package func heldTokens(_ limit: Int = .max) -> [Token] { Array(tokens.lazy.compactMap { $0 }.prefix(limit)) }
}
