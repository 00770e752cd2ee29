public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends a second copy of a request whose answer is late, and takes the first answer.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().hedged(after: .milliseconds(300))
///
/// var policy = HedgePolicy(after: .milliseconds(100))
/// policy.maximumCopies = 3
/// let quick = URLRequestDispatcher().hedged(policy)
/// ```
///
/// The rule is HEDGE of <doc:Contract>. It applies to requests that may be carried out twice, and whose body can be
/// sent twice. Others are sent once; so are downloads, because two copies would write the same file. Another copy is
/// sent each time the delay has passed without an answer, and at once after a transient failure, but not after one that
/// asks for a wait by `Retry-After`. A ``RetryPolicy``, inside or outside, handles failures instead. The first
/// acceptable response wins; so does an error that every copy would get. The other copies are cancelled. For a stream,
/// the first acceptable head wins. If all copies fail, the outcome of the last to end is final. A copy that fails
/// before it is sent, as its credential can't be refreshed, the dispatcher is ending or no other stream may be open, is
/// the last one, and leaves the others alone.
///
/// Updates are those of one copy at a time: of the first, until another copy's response begins earlier. A cancellation
/// ends all copies at once (contract rules UP and PROMPT). No copy is sent after a delay that would exceed the
/// deadline. Of nested hedges only the outermost decides.
///
/// A `Sendable` value; copies share the ``budget`` and the clock. The article <doc:Hedging> describes it in full.
///
/// Source: Dean and Barroso, "The Tail at Scale"; gRPC's hedging policy.
public struct HedgePolicy: DispatcherPolicy {
    /// How long to wait for an answer before another copy is sent; zero means no wait.
    ///
    /// A good value is the 95th percentile of the response time.
    public var delay: Duration

    /// The maximum number of copies: 2 by default, at most 5. With less than 2 nothing is hedged.
    public var maximumCopies = 2

    /// The methods that may be carried out twice, like ``RetryPolicy/methods``.
    ///
    /// A request with another method is hedged if it has an `Idempotency-Key`, or if ``isRepeatable`` returns true.
    public var methods: Set<HTTPMethod> {
        get { rules.methods }
        set { rules.methods = newValue }
    }

    /// The statuses that aren't acceptable while another answer is possible, like ``RetryPolicy/statuses``.
    public var statuses: Set<StatusCode> {
        get { rules.statuses }
        set { rules.statuses = newValue }
    }

    /// The errors that aren't acceptable either, like ``RetryPolicy/errors``.
    public var errors: Set<TransferError.Kind> {
        get { rules.errors }
        set { rules.errors = newValue }
    }

    /// Marks requests that may be carried out twice, whatever their method. Called off the main actor.
    public var isRepeatable: (@Sendable (URLRequest) -> Bool)?

    /// Keeps a slow server from getting twice its load for long; `nil` for no limit.
    ///
    /// A copy costs 14 tokens, or 5 after a 429; a success gives back 1, never the cost of its copies. So there are at
    /// most 35 copies at first, and one in 14 requests afterwards. A hedge inside a retry has the budget of the retry,
    /// or no limit if that has none, unless this was set. For a hedge around retries of the same servers, share their
    /// ``RetryPolicy/budget``: then a success gives back what it does for the retry, and no more.
    public var budget: RetryBudget? {
        get { chosenBudget ?? standardBudget }
        set { chosenBudget = .some(newValue) }
    }

    private let standardBudget = RetryBudget()
    /// That which was set, which may be `nil`.
    private var chosenBudget: RetryBudget??

    private(set) var rules = RetryRules.standard
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Makes a policy of two copies, with a budget of its own.
    ///
    /// - Parameters:
    ///   - delay: how long to wait for an answer before another copy is sent.
    ///   - clock: measures the delay. A test passes its own clock and needs no real time.
    ///   - now: returns the time of day, for a `Retry-After` with a date in a response without a `Date`.
    public init(
        after delay: Duration, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.delay = delay
        self.clock = clock
        self.now = now
    }

    /// A future of the exchange, copy by copy.
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        guard copies > 1, exchange.allowsCopies else { return exchange.makeFuture() }
        // With a run of its own, which cancels the other copies once it has delivered the outcome: that waits for no
        // handler of a cancellation (contract rule PROMPT).
        return ResponseFuture(parent: nil, kind: .interruptible) {
            [self] (_: AnyResponseFuture, run: FutureRun) async throws in
            try Task.checkCancellation()
            guard isHedgeable(exchange.urlRequest) else {
                return try await InnerFuture.value(of: exchange.makeFuture(), for: run)
            }
            return TypedFutureValue(try await HedgeRun(exchange, by: self, for: run).response())
        }
    }

    /// The budget of an exchange inside this retry of it.
    func budget(inside outer: RetryScope?) -> RetryBudget? {
        if let chosenBudget { return chosenBudget }
        guard let outer else { return standardBudget }
        return outer.budget
    }

    /// The maximum number of copies, within its bounds.
    var copies: Int { min(maximumCopies, 5) }

    private func isHedgeable(_ urlRequest: URLRequest) -> Bool {
        let context = PolicyContext.current
        if let hedge = context.hedge, context.isSameExchange(urlRequest, as: hedge.scope.urlRequest) { return false }
        return rules.isIdempotent(urlRequest.httpMethod) || urlRequest.idempotencyKey != nil
            || isRepeatable?(urlRequest) == true
    }
}

extension PendingExchange {
    /// Whether two copies can be in flight at once: they write no file, and their body can be read again.
    fileprivate var allowsCopies: Bool {
        if case .download = kind { return false }
        if case .chunks(let chunks) = body { return chunks.rereadFiles != nil }
        return true
    }
}

extension HedgePolicy: CustomStringConvertible, CustomReflectable {
    /// The delay and the number of copies: "HedgePolicy(2 copies, after 0.3 seconds)".
    public var description: String { "HedgePolicy(\(max(copies, 1)) copies, after \(delay))" }

    /// Empty: the closures may capture secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
