public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends a request again after a failure that may pass.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().retrying(.standard)
///
/// var policy = RetryPolicy.standard
/// policy.maximumAttempts = 5
/// policy.addsIdempotencyKey = true        // a POST may be sent again as well
/// let patient = URLRequestDispatcher().retrying(policy)
/// ```
///
/// There are three attempts in all. What is sent again, after which outcomes and after which waits is said at the
/// properties; the article <doc:Retrying> has all of it, and <doc:Contract> the rules by name. The outcome of the last
/// attempt is the outcome, so a 503 stays a response (contract rule STATUS). Those before it are its
/// ``ResponseInterface/earlierAttempts``, or the error's. Each retry is an update, of the stage
/// ``TransferUpdate/Stage/retrying(attempt:after:)``.
///
/// Adapters run anew for each attempt. A stream isn't sent again after its head was delivered, and a resumable download
/// goes on where the attempt before it was interrupted. A body of data, or a form, is sent again; a file only while its
/// size and its date are the same; chunks only if none was asked for, unless they can be made anew, as by
/// ``TransferChunks/init(length:makeChunks:)``.
///
/// No wait is begun that would cross a ``Deadline``: what there is by then is the outcome.
///
/// A cancellation ends it at once, while it waits too: nothing more is sent (contract rules UP and PROMPT). Of policies
/// inside each other the innermost decides alone.
///
/// A `Sendable` value whose copies share the ``budget``, the clock and the random numbers.
public struct RetryPolicy: DispatcherPolicy, PartPolicy {
    /// Decides whether there is to be another attempt.
    ///
    /// - Parameters:
    ///   - urlRequest: the request as it was asked for.
    ///   - attempt: the attempt that has just ended, with a response or an error; never with a cancellation.
    ///   - isWanted: whether the policy itself wants another one, by methods, statuses and errors.
    public typealias Decision =
        @Sendable (_ urlRequest: URLRequest, _ attempt: ExchangeAttempt, _ isWanted: Bool) -> Bool

    /// How many attempts there may be in all; 3 by default, and less than 1 counts as 1, which is no retry at all.
    public var maximumAttempts: Int {
        get { settings.value.maximumAttempts }
        set { settings.value.maximumAttempts = newValue }
    }

    /// The methods that may be carried out twice: GET, HEAD, OPTIONS, TRACE, PUT and DELETE (RFC 9110, section 9.2.2).
    ///
    /// A request of another one is sent again if it has an `Idempotency-Key` or ``isRepeatable`` says so; else only after an
    /// error that proves that no server has had it: no connection could be made, the host wasn't found, or it was refused here,
    /// with a ``LineFullError`` or a ``CircuitOpenError``.
    public var methods: Set<HTTPMethod> {
        get { settings.value.rules.methods }
        set { settings.value.rules.methods = newValue }
    }

    /// The statuses after which there is another attempt: 408, 425, 429, 500, 502, 503 and 504. An
    /// ``UnacceptableStatusError``, which a ``ValidationPolicy`` inside has made of one, counts as its status.
    public var statuses: Set<StatusCode> {
        get { settings.value.rules.statuses }
        set { settings.value.rules.statuses = newValue }
    }

    /// The errors after which there is another attempt: no connection, host not found, timed out, connection lost, truncated
    /// and bad response. A `URLError` counts as the ``TransferError`` that says the same, ``DeadlineExceeded`` of a deadline
    /// for each attempt as timed out. After a ``LineFullError`` or a ``CircuitOpenError`` there is another attempt as well; others
    /// are for the ``decision``.
    public var errors: Set<TransferError.Kind> {
        get { settings.value.rules.errors }
        set { settings.value.rules.errors = newValue }
    }

    /// Marks requests that may be carried out twice, whatever their method: a POST that searches.
    ///
    /// ```swift
    /// policy.isRepeatable = { request in request.url?.path() == "/search" }
    /// ```
    ///
    /// Called off the main actor, after an attempt whose outcome would be reason enough, of a request whose method isn't one of
    /// ``methods``.
    public var isRepeatable: (@Sendable (URLRequest) -> Bool)? {
        get { settings.value.isRepeatable }
        set { settings.value.isRepeatable = newValue }
    }

    /// Whether a request whose method isn't one of ``methods`` gets an `Idempotency-Key`, unless it has one: a random UUID,
    /// the same for each attempt, by which a server that knows the header carries it out once only.
    ///
    /// Source: draft-ietf-httpapi-idempotency-key-header, whose key is a string in quotation marks.
    public var addsIdempotencyKey: Bool {
        get { settings.value.addsIdempotencyKey }
        set { settings.value.addsIdempotencyKey = newValue }
    }

    /// Has the last word about another attempt, as far as there may be one: not beyond ``maximumAttempts`` and the ``budget``,
    /// and not with a body that is used up.
    ///
    /// ```swift
    /// policy.decision = { request, attempt, isWanted in isWanted || attempt.statusCode == .accepted }
    /// ```
    ///
    /// Called off the main actor, once after each attempt, also after those that were successful. Answer `true`
    /// for a POST only if it may be carried out twice.
    public var decision: Decision? {
        get { settings.value.decision }
        set { settings.value.decision = newValue }
    }

    /// The wait before the second attempt at the most: 50 ms. It is doubled with each further one, up to the
    /// ``maximumDelay``, and the wait is a random part of it, from nothing to all: "full jitter".
    public var baseDelay: Duration {
        get { settings.value.timing.base }
        set { settings.value.timing.base = newValue }
    }

    /// The same after a 429 or a 503, when the server has too much to do: 1 s.
    public var throttledBaseDelay: Duration {
        get { settings.value.timing.throttledBase }
        set { settings.value.timing.throttledBase = newValue }
    }

    /// The longest wait that the policy chooses itself: 20 s.
    public var maximumDelay: Duration {
        get { settings.value.timing.maximum }
        set { settings.value.timing.maximum = newValue }
    }

    /// The longest wait that a server may ask for by `Retry-After` (RFC 9110, section 10.2.3): 60 s. A response that asks for
    /// a longer one is delivered at once.
    ///
    /// What a server asks for is the least; up to a tenth of it, a second at the most, is added at random.
    public var maximumRetryAfter: Duration {
        get { settings.value.timing.maximumRetryAfter }
        set { settings.value.timing.maximumRetryAfter = newValue }
    }

    /// What keeps the retries of all futures from burying a server; `nil` for no limit.
    public var budget: RetryBudget? {
        get { settings.value.budget }
        set { settings.value.budget = newValue }
    }

    private struct Settings: Sendable {
        var maximumAttempts = 3
        var isRepeatable: (@Sendable (URLRequest) -> Bool)?
        var addsIdempotencyKey = false
        var decision: Decision?
        var budget: RetryBudget? = RetryBudget()
        var rules = RetryRules.standard
        var timing = RetryTiming.standard
        let clock: any Clock<Duration>
        let now: @Sendable () -> Date
        let generator: Locked<AnyGenerator>
        /// Whether the clock is the continuous one.
        let endsPromptly: Bool
    }

    /// Each exchange has a copy of the policy.
    private var settings: Boxed<Settings>

    var rules: RetryRules { settings.value.rules }
    var timing: RetryTiming { settings.value.timing }
    var clock: any Clock<Duration> { settings.value.clock }
    var now: @Sendable () -> Date { settings.value.now }
    private var generator: Locked<AnyGenerator> { settings.value.generator }

    /// Makes the standard policy, with a budget of its own.
    ///
    /// - Parameters:
    ///   - clock: what measures the waits. A test hands over a clock of its own and needs no real time.
    ///   - generator: where the random numbers come from.
    ///   - now: tells the time of day, for a `Retry-After` that is a date in a response without one.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        settings = Boxed(
            Settings(
                clock: clock, now: now, generator: Locked(AnyGenerator(base: generator)),
                endsPromptly: clock is ContinuousClock))
    }

    /// A new policy of three attempts, with a budget of its own: the futures of one dispatcher share it, two that are made by
    /// `retrying(.standard)` don't.
    public static var standard: RetryPolicy { RetryPolicy() }

    /// A future of the exchange, attempt by attempt.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        makeFuture(of: exchange)
    }

    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    func begin<Content: Sendable>(_ attempt: inout PolicyAttempt) -> PolicyPart<Content>? {
        RetryPart(self, &attempt)
    }

    /// Another clock may not notice that its sleeper was cancelled, nor that the time of a deadline is over.
    package var endsPromptly: Bool { settings.value.endsPromptly }

    /// A random number, from 0 to below 1.
    func random() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }

    /// Whether the request may be carried out twice.
    func isIdempotent(_ urlRequest: URLRequest) -> Bool {
        rules.isIdempotent(urlRequest.httpMethod) || urlRequest.value(forHTTPHeaderField: Self.keyField) != nil
            || isRepeatable?(urlRequest) == true
    }

    /// The request with the key that it may need.
    func keyed(_ urlRequest: URLRequest) -> URLRequest {
        guard addsIdempotencyKey, !rules.isIdempotent(urlRequest.httpMethod),
            urlRequest.value(forHTTPHeaderField: Self.keyField) == nil
        else { return urlRequest }
        var keyed = urlRequest
        keyed.setValue("\"\(generator.withLock { $0.uuid() })\"", forHTTPHeaderField: Self.keyField)
        return keyed
    }

    static let keyField = "Idempotency-Key"
}

extension RetryPolicy: CustomStringConvertible, CustomReflectable {
    /// How many attempts there are: "RetryPolicy(3 attempts)".
    public var description: String { "RetryPolicy(\(max(maximumAttempts, 1)) attempts)" }

    /// Nothing: the closures may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
