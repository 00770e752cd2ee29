public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends requests with a credential, and gets a new one when it is rejected or about to expire.
///
/// ```swift
/// let session = Authenticator(savedKey, for: api) { request, key in
///     request.setValue(key.text, forHTTPHeaderField: "X-API-Key")
/// } refresh: { old in
///     try await login.dataFuture(from: old.renewal).validated().decoded(Key.self).value.data
/// }
/// let dispatcher = URLRequestDispatcher().authenticated(by: session).retrying()
///
/// session.setCredential(key)   // sign-in
/// session.removeCredential()   // sign-out
/// ```
///
/// For bearer tokens use ``bearer(_:for:clock:now:refresh:)``, for a credential that doesn't expire, such as an API key,
/// ``init(_:for:apply:)``, and for HTTP Basic ``basic(_:for:)``. The article <doc:Authenticating> describes it in full,
/// and <doc:Contract> has the rules by name.
///
/// A request that is rejected, by a 401, is sent once more with a new credential; the server's second answer is the
/// response, even another 401 (contract rule STATUS). However many are rejected, there is one refresh; the others wait
/// for it, and so do requests that begin meanwhile. A request that was sent with an older credential than the current
/// one is sent again without a refresh. If a request can't be sent again, because its chunks were read, the 401 is its
/// response; the refresh still happens.
///
/// The refresh belongs to no request: when all waiting requests are cancelled, their wait ends at once, but the refresh
/// continues, and its credential is kept. Requests that its task, or a task started by it, makes with this
/// authenticator are sent unchanged. Its error fails all waiting requests, and those that had begun before and are
/// rejected later.
///
/// Requests to other origins than ``origins`` are sent unchanged, and so is every request while there is no credential.
/// Exception: an authenticator with an `obtain` closure gets its credential before the first request.
///
/// A `Sendable` value; copies share the credential, its refresh, the clock and the time of day.
public struct Authenticator<Credential: Sendable>: DispatcherPolicy, InlinePolicy {
    /// Puts a credential into a request.
    public typealias Application = @Sendable (_ urlRequest: inout URLRequest, _ credential: Credential) throws -> Void

    /// Decides whether a response rejects the credential.
    ///
    /// - Parameters:
    ///   - head: the head of the response.
    ///   - isRejected: whether its status is one of the ``rejectedStatuses``.
    public typealias Rejection = @Sendable (_ head: TransferHead, _ isRejected: Bool) -> Bool

    /// The origins of the credential: requests to other schemes, hosts or ports are sent unchanged, and their responses
    /// are passed on. Of each URL only these parts count.
    public var origins: [URL]

    /// Whether a request to one of the ``origins`` is sent with the credential; `nil` for all of them.
    ///
    /// Called off the main actor, once for each started request.
    public var appliesTo: (@Sendable (URLRequest) -> Bool)?

    /// The statuses that reject a credential: 401 (RFC 9110, section 15.5.2).
    ///
    /// A rejection of the current credential is the response if there is no refresh.
    public var rejectedStatuses: Set<StatusCode> = [.unauthorized]

    /// Makes the final decision whether a response rejects the credential.
    ///
    /// ```swift
    /// session.rejection = { head, isRejected in isRejected || head.value(for: "X-Token-Expired") != nil }
    /// ```
    ///
    /// Called off the main actor, for the response to the first attempt. The request is sent again whatever its method,
    /// so return `true` only if the server has done nothing.
    public var rejection: Rejection?

    /// When a credential expires, if known: then the refresh comes before the request, not after a 401.
    ///
    /// Called off the main actor, before each request.
    public var expiry: (@Sendable (Credential) -> Date?)?

    /// How long before its ``expiry`` a credential is refreshed: 30 s.
    public var leeway: Duration = .seconds(30)

    /// How long a refresh may take: 30 s.
    ///
    /// Then waiting requests fail with ``AuthenticationError/refreshTimedOut(after:origin:)``, and the refresh is
    /// cancelled. If it still returns a credential, that is kept unless there is a newer one.
    public var timeLimit: Duration = .seconds(30)

    /// The maximum number of refreshes in 30 seconds: 5.
    ///
    /// A request that needs one more fails with ``AuthenticationError/tooManyRefreshes(maximum:origin:)``; if only the
    /// ``expiry`` asks for it, the request is sent with the current credential.
    public var maximumRefreshes = 5

    let store: CredentialStore<Credential>
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let apply: Application
    /// Fits a credential that is set, as after a sign-in, to the time of day.
    var fitted: (@Sendable (Credential) -> Credential)?
    /// Gets a new credential; `nil` for one that doesn't expire.
    let refresh: (@Sendable (Credential?) async throws -> Credential)?

    /// Makes an authenticator for a credential that doesn't expire, such as an API key: a rejection is the response.
    ///
    /// ```swift
    /// let session = Authenticator(ServiceKey(text: key), for: api) { request, key in
    ///     request.setValue(key.text, forHTTPHeaderField: "X-API-Key")
    /// }
    /// ```
    ///
    /// There is no refresh, whatever ``rejectedStatuses``, ``rejection`` and ``expiry`` say. Only a request that was
    /// sent with an older credential than the current one is sent once more, with that (contract rule A1 GENERATION).
    ///
    /// - Parameters:
    ///   - credential: the initial credential; `nil` if nobody has signed in.
    ///   - origin: a URL of its server, such as the base URL; others may be added to ``origins``.
    ///   - apply: puts the credential into a request, as in ``init(_:for:clock:now:apply:refresh:)``.
    public init(_ credential: Credential?, for origin: URL, apply: @escaping Application) {
        self.init(
            credential.map { .held($0) } ?? .none, for: origin, clock: ContinuousClock(), now: { Date() },
            apply: apply, refresh: nil)
    }

    /// Makes an authenticator for credentials that are renewed by means of the old one.
    ///
    /// - Parameters:
    ///   - credential: the initial credential, from a keychain, say; `nil` if nobody has signed in.
    ///   - origin: a URL of its server, such as the base URL; others may be added to ``origins``.
    ///   - clock: measures the ``timeLimit``. A test passes its own clock and needs no real time.
    ///   - now: returns the time of day, for the ``expiry``.
    ///   - apply: puts the credential into a request. Use a header whose name counts as secret by
    ///     ``HeaderRedaction/secrets``: a redirect doesn't send such a header to another origin. Called off the main
    ///     actor for each attempt; an error that it throws fails the future.
    ///   - refresh: gets a new credential, given the old one. Called off the main actor, in a task without the
    ///     task-local values of the request that needs it; never concurrently, unless an earlier one is still running
    ///     after its time limit. Its error fails all waiting requests, and a `CancellationError` cancels them.
    public init(
        _ credential: Credential?, for origin: URL, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }, apply: @escaping Application,
        refresh: @escaping @Sendable (_ old: Credential) async throws -> Credential
    ) {
        let text = origin.origin
        self.init(credential.map { .held($0) } ?? .none, for: origin, clock: clock, now: now, apply: apply) { old in
            guard let old else { throw AuthenticationError.credentialRemoved(origin: text) }
            return try await refresh(old)
        }
    }

    /// Makes an authenticator that can get a credential without an old one.
    ///
    /// It gets one before the first request, as for the client credentials of RFC 6749, section 4.4.
    ///
    /// After ``removeCredential()`` requests are sent without one, until ``setCredential(_:)``.
    ///
    /// - Parameters:
    ///   - origin: a URL of their server.
    ///   - clock: measures the ``timeLimit``.
    ///   - now: returns the time of day.
    ///   - apply: puts the credential into a request, as in the other initialiser.
    ///   - obtain: gets a credential, like the `refresh` of the other initialiser.
    public init(
        for origin: URL, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        apply: @escaping Application, obtain: @escaping @Sendable () async throws -> Credential
    ) {
        self.init(.wanted, for: origin, clock: clock, now: now, apply: apply) { _ in try await obtain() }
    }

    private init(
        _ holding: CredentialCourse<Credential>.Holding, for origin: URL, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date, apply: @escaping Application,
        refresh: (@Sendable (Credential?) async throws -> Credential)?
    ) {
        self.clock = clock
        self.now = now
        self.apply = apply
        self.refresh = refresh
        origins = [origin]
        store = CredentialStore(holding, clock: clock)
    }

    /// A future of the exchange, with the credential.
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        makeFuture(of: exchange)
    }

    func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        guard concerns(exchange.urlRequest) else { return try await exchange.response(in: work) }
        return try await AuthenticationRun(exchange, by: self, in: work).response()
    }

    /// It may await a refresh, which is user code.
    var endsPromptly: Bool { false }
}
