#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends a second copy of a request whose answer is late, and takes the answer that comes first.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().hedged(after: .milliseconds(300))
///
/// var policy = HedgePolicy(after: .milliseconds(100))
/// policy.maximumCopies = 3
/// let quick = URLRequestDispatcher().hedged(policy)
/// ```
///
/// The rule is HEDGE of <doc:Contract>. For requests that may be carried out twice, and whose body can be sent twice:
/// others go through untouched, as downloads do, of which two would write the same file. Another copy is sent each time
/// the delay has passed without an answer, and at once after a failure that may pass; not after one that asks for time
/// by `Retry-After`. Beside a ``RetryPolicy``, inside or outside, failures are that policy's business. The first
/// acceptable response wins, and an error that would be the same for each copy; the other copies are cancelled. Of a
/// stream the first acceptable head wins. If all fail, the outcome of the last to end is the outcome.
///
/// Updates are those of one copy at a time: of the first, until another's response begins before its own. A cancellation ends
/// all copies at once (contract rules UP and PROMPT). With a deadline no copy is waited for that would cross it. Of hedges
/// inside each other the outermost decides alone.
///
/// A `Sendable` value whose copies share the ``budget`` and the clock. The article <doc:Hedging> has all of it.
///
/// Source: Dean and Barroso, "The Tail at Scale"; gRPC's hedging policy.
public struct HedgePolicy: DispatcherPolicy {
    /// How long an answer is waited for before another copy is sent; zero is not at all. A good one is what 95 of 100 requests
    /// take.
    public var delay: Duration

    /// How many copies there may be in all; 2 by default, never more than 5, and with less than 2 nothing is hedged.
    public var maximumCopies = 2

    /// The methods that may be carried out twice, as ``RetryPolicy/methods``.
    ///
    /// A request of another one is hedged if it has an `Idempotency-Key` or ``isRepeatable`` says so.
    public var methods: Set<HTTPMethod> {
        get { rules.methods }
        set { rules.methods = newValue }
    }

    /// The statuses that aren't acceptable as long as there may be another answer, as ``RetryPolicy/statuses``.
    public var statuses: Set<StatusCode> {
        get { rules.statuses }
        set { rules.statuses = newValue }
    }

    /// The errors that aren't either, as ``RetryPolicy/errors``.
    public var errors: Set<TransferError.Kind> {
        get { rules.errors }
        set { rules.errors = newValue }
    }

    /// Marks requests that may be carried out twice, whatever their method. Called off the main actor.
    public var isRepeatable: (@Sendable (URLRequest) -> Bool)?

    /// What keeps a slow server from getting twice its load for long; `nil` for no limit.
    ///
    /// A copy costs 14 tokens, or 5 after a 429; a success gives back 1, never what its copies cost. So there are 35 of them at
    /// once, and one in 14 requests afterwards. Give it the ``RetryPolicy/budget`` of a retry for the same servers.
    public var budget: RetryBudget? = RetryBudget()

    private(set) var rules = RetryRules.standard
    private let clock: any Clock<Duration>

    /// Makes a policy of two copies, with a budget of its own.
    ///
    /// - Parameters:
    ///   - delay: how long an answer is waited for before another copy is sent.
    ///   - clock: what measures the delay. A test hands over a clock of its own and needs no real time.
    public init(after delay: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.delay = delay
        self.clock = clock
    }

    /// A future of the exchange, copy by copy.
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        guard copies > 1, exchange.allowsCopies else { return exchange.makeFuture() }
        return ResponseFuture(parent: nil) { [self] (_: AnyResponseFuture, run: FutureRun) async throws in
            try Task.checkCancellation()
            guard isHedgeable(exchange.urlRequest) else {
                return try await InnerFuture.value(of: exchange.makeFuture(), for: run)
            }
            return TypedFutureValue(try await HedgeRun(exchange, by: self, for: run).response())
        }
    }

    /// How many copies there may be, within the bounds.
    var copies: Int { min(maximumCopies, 5) }

    /// Suspends for the delay.
    func wait() async throws { try await clock.sleep(latency: min(delay, RetryAfter.longest)) }

    private func isHedgeable(_ urlRequest: URLRequest) -> Bool {
        if HedgeScope.current?.scope.isOfSameExchange(as: RetryScope(of: urlRequest)) == true { return false }
        return rules.isIdempotent(urlRequest.httpMethod)
            || urlRequest.value(forHTTPHeaderField: RetryPolicy.keyField) != nil || isRepeatable?(urlRequest) == true
    }
}

extension PendingExchange {
    /// Whether two of it can be under way at once: they write no file, and read nothing that comes once.
    fileprivate var allowsCopies: Bool {
        if case .download = kind { return false }
        if case .chunks(let chunks) = body { return chunks.rereadFiles != nil }
        return true
    }
}

extension HedgePolicy: CustomStringConvertible, CustomReflectable {
    /// The delay and the number of copies: "HedgePolicy(2 copies, after 0.3 seconds)".
    public var description: String { "HedgePolicy(\(max(copies, 1)) copies, after \(delay))" }

    /// Nothing: the closure may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
