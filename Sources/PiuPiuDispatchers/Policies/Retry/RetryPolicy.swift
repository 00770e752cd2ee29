public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends a request again after a transient failure.
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
/// There are three attempts in all. The properties say what is sent again, after which outcomes, and after which waits.
/// The article <doc:Retrying> describes it in full, and <doc:Contract> has the rules by name. The outcome of the last
/// attempt is final, so a 503 stays a response (contract rule STATUS). The attempts before it are its
/// ``ResponseInterface/earlierAttempts``, or the error's. Each retry is an update, of the stage
/// ``TransferUpdate/Stage/retrying(attempt:after:)``.
///
/// Adapters run again for each attempt. A stream isn't retried after its head was delivered, and a resumable download
/// continues where the attempt before it was interrupted. A body of data, or a form, is sent again; a file only if its
/// size and date are unchanged; chunks only if none was asked for, or if they can be made again, as by
/// ``TransferChunks/init(length:makeChunks:)``; an `httpBodyStream` never. An answer that a cache inside has given
/// isn't retried. After a failure that it has just stored, the next attempt asks the server.
///
/// A wait that would exceed a ``Deadline`` doesn't begin: the last outcome is final.
///
/// A cancellation ends it at once, also during a wait: nothing more is sent (contract rules UP and PROMPT). Of nested
/// policies only the innermost decides.
///
/// A `Sendable` value whose copies share the ``budget``, the clock and the random numbers.
public struct RetryPolicy: DispatcherPolicy, PartPolicy {
    /// Decides whether there is to be another attempt.
    ///
    /// - Parameters:
    ///   - urlRequest: the caller's request.
    ///   - attempt: the attempt that has just ended, with a response or an error; never with a cancellation.
    ///   - isWanted: whether the policy itself wants another one, by methods, statuses and errors.
    public typealias Decision =
        @Sendable (_ urlRequest: URLRequest, _ attempt: ExchangeAttempt, _ isWanted: Bool) -> Bool

    /// The maximum number of attempts: 3 by default. Less than 1 counts as 1, which means no retry.
    public var maximumAttempts: Int {
        get { settings.value.maximumAttempts }
        set { settings.value.maximumAttempts = newValue }
    }

    /// The methods that may be carried out twice: GET, HEAD, OPTIONS, TRACE, PUT and DELETE (RFC 9110, section 9.2.2).
    ///
    /// A request with another method is sent again if it has an `Idempotency-Key`, or if ``isRepeatable`` returns true.
    /// Otherwise it is sent again only after an error that proves that no server has received it: no connection could
    /// be made, the host wasn't found, or it was refused locally with a ``LineFullError`` or a ``CircuitOpenError``.
    /// Such an error proves nothing once a part of the request was sent, or an answer has come: it is the error of
    /// another request then, such as the refresh of a credential after a 401, or a later request of a wrapper. Nor does
    /// one that the chunks of the body have thrown.
    public var methods: Set<HTTPMethod> {
        get { settings.value.rules.methods }
        set { settings.value.rules.methods = newValue }
    }

    /// The statuses after which there is another attempt: 408, 425, 429, 500, 502, 503 and 504. An
    /// ``UnacceptableStatusError`` from a ``ValidationPolicy`` inside counts as its status.
    public var statuses: Set<StatusCode> {
        get { settings.value.rules.statuses }
        set { settings.value.rules.statuses = newValue }
    }

    /// The errors after which there is another attempt: no connection, host not found, timed out, connection lost,
    /// truncated and bad response. A `URLError` counts as the equivalent ``TransferError``, and ``DeadlineExceeded`` of
    /// a deadline for each attempt as timed out. There is also another attempt after a ``LineFullError`` or a
    /// ``CircuitOpenError``. For other errors use the ``decision``.
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
    /// Called off the main actor, after an attempt with a retryable outcome, for a request whose method isn't one of
    /// ``methods``.
    public var isRepeatable: (@Sendable (URLRequest) -> Bool)? {
        get { settings.value.isRepeatable }
        set { settings.value.isRepeatable = newValue }
    }

    /// Whether a request whose method isn't one of ``methods`` gets an `Idempotency-Key`, unless it has one: a random
    /// UUID, the same for each attempt. A server that knows the header carries the request out only once.
    ///
    /// Source: draft-ietf-httpapi-idempotency-key-header; the key is a quoted string.
    public var addsIdempotencyKey: Bool {
        get { settings.value.addsIdempotencyKey }
        set { settings.value.addsIdempotencyKey = newValue }
    }

    /// Makes the final decision about another attempt, within ``maximumAttempts`` and the ``budget``, and if the body
    /// can be sent again.
    ///
    /// ```swift
    /// policy.decision = { request, attempt, isWanted in
    ///     isWanted || request.httpMethod == "GET" && attempt.statusCode == .accepted
    /// }
    /// ```
    ///
    /// Called off the main actor, once after each attempt, also after successful ones. Return `true` for a POST only if
    /// it may be carried out twice.
    public var decision: Decision? {
        get { settings.value.decision }
        set { settings.value.decision = newValue }
    }

    /// The maximum wait before the second attempt: 50 ms.
    ///
    /// It doubles with each further attempt, up to the ``maximumDelay``. The actual wait is a random part of it, from
    /// zero to all: "full jitter".
    public var baseDelay: Duration {
        get { settings.value.timing.base }
        set { settings.value.timing.base = newValue }
    }

    /// The same after a 429 or a 503, when the server is overloaded: 1 s.
    public var throttledBaseDelay: Duration {
        get { settings.value.timing.throttledBase }
        set { settings.value.timing.throttledBase = newValue }
    }

    /// The longest wait that the policy chooses itself: 20 s.
    public var maximumDelay: Duration {
        get { settings.value.timing.maximum }
        set { settings.value.timing.maximum = newValue }
    }

    /// The longest wait that a server may ask for by `Retry-After` (RFC 9110, section 10.2.3): 60 s.
    ///
    /// A response that asks for a longer one is delivered at once.
    ///
    /// The server's wait is the minimum; a random addition is at most a tenth of it, and at most a second.
    public var maximumRetryAfter: Duration {
        get { settings.value.timing.maximumRetryAfter }
        set { settings.value.timing.maximumRetryAfter = newValue }
    }

    /// Keeps the retries of all futures from overloading a server; `nil` for no limit.
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
        let isByContinuousClock: Bool
    }

    /// Boxed, because each exchange has a copy of the policy.
    private var settings: Boxed<Settings>

    // Not copied: it is read after each attempt.
    var rules: RetryRules { _read { yield settings.value.rules } }
    var timing: RetryTiming { settings.value.timing }
    var clock: any Clock<Duration> { settings.value.clock }
    var now: @Sendable () -> Date { settings.value.now }
    private var generator: Locked<AnyGenerator> { settings.value.generator }

    /// Makes the standard policy, with a budget of its own.
    ///
    /// - Parameters:
    ///   - clock: measures the waits. A test passes its own clock and needs no real time.
    ///   - generator: the source of the random numbers.
    ///   - now: returns the time of day, for a `Retry-After` with a date in a response without a `Date`.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        settings = Boxed(
            Settings(
                clock: clock, now: now, generator: Locked(AnyGenerator(base: generator)),
                isByContinuousClock: clock is ContinuousClock))
    }

    /// A new policy of three attempts, with a budget of its own.
    ///
    /// The futures of one dispatcher share the budget; two dispatchers made by `retrying(.standard)` don't.
    public static var standard: RetryPolicy { RetryPolicy() }

    /// A future of the exchange, attempt by attempt.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        makeFuture(of: exchange)
    }

    func begin(_ attempt: inout PolicyAttempt) -> PolicyPart? {
        RetryPart(self, &attempt)
    }

    /// Another clock may not notice a cancellation or the end of a deadline, and a closure of the user may block.
    package var endsPromptly: Bool {
        settings.value.isByContinuousClock && settings.value.decision == nil && settings.value.isRepeatable == nil
    }

    /// A random number, from 0 to below 1.
    func random() -> Double {
        generator.withLock { Double.random(in: 0..<1, using: &$0) }
    }

    /// Whether the request may be carried out twice.
    func isIdempotent(_ urlRequest: URLRequest) -> Bool {
        rules.isIdempotent(urlRequest.httpMethod) || urlRequest.idempotencyKey != nil
            || isRepeatable?(urlRequest) == true
    }

    /// The request with an idempotency key, if it needs one.
    func keyed(_ urlRequest: URLRequest) -> URLRequest {
        guard addsIdempotencyKey, !rules.isIdempotent(urlRequest.httpMethod), urlRequest.idempotencyKey == nil
        else { return urlRequest }
        var keyed = urlRequest
        keyed.idempotencyKey = "\"\(generator.withLock { $0.uuid() })\""
        return keyed
    }
}

extension RetryPolicy: CustomStringConvertible, CustomReflectable {
    /// The number of attempts: "RetryPolicy(3 attempts)".
    public var description: String { "RetryPolicy(\(max(maximumAttempts, 1)) attempts)" }

    /// Empty: the closures may capture secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
