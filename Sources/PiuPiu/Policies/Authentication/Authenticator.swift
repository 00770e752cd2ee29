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
/// For bearer tokens there is ``bearer(_:for:clock:now:refresh:)``; the article <doc:Authenticating> has all of it, and
/// <doc:Contract> the rules by name.
///
/// A request that is rejected, by a 401, is sent once more with a new credential; what the server answers then is the
/// response, also a 401 (contract rule STATUS). However many are rejected, there is one refresh, for which the others
/// wait, those too that begin meanwhile. A request that was sent with an older credential than there is now is sent again
/// without one. What can't be sent again, as chunks that were read, is answered by the 401; the refresh happens all the same.
///
/// The refresh is nobody's: it goes on when all who wait are cancelled, which ends their wait at once, and its credential is
/// kept. Requests that it makes by a dispatcher with this authenticator are sent as they are, if its own task makes
/// them, or one that it starts. Its error ends all who wait, and those that had begun before and are rejected later.
///
/// Requests to other origins than ``origins`` are sent as they are, and so is every request while there is no credential.
///
/// A `Sendable` value whose copies share the credential, its refresh, the clock and the time of day.
public struct Authenticator<Credential: Sendable>: DispatcherPolicy, InlinePolicy {
    /// Puts a credential into a request.
    public typealias Application = @Sendable (_ urlRequest: inout URLRequest, _ credential: Credential) throws -> Void

    /// Decides whether a response says that the credential was rejected.
    ///
    /// - Parameters:
    ///   - head: the head of the response.
    ///   - isRejected: whether its status is one of the ``rejectedStatuses``.
    public typealias Rejection = @Sendable (_ head: TransferHead, _ isRejected: Bool) -> Bool

    /// Where the credential belongs: requests to other schemes, hosts or ports are sent as they are, and their responses
    /// are let through. Of each URL only these count.
    public var origins: [URL]

    /// Whether a request to one of the ``origins`` is sent with the credential; `nil` for all of them.
    ///
    /// Called off the main actor, once for each request that is started.
    public var appliesTo: (@Sendable (URLRequest) -> Bool)?

    /// The statuses that reject a credential: 401 (RFC 9110, section 15.5.2).
    public var rejectedStatuses: Set<StatusCode> = [.unauthorized]

    /// Has the last word about what rejects a credential.
    ///
    /// ```swift
    /// session.rejection = { head, isRejected in isRejected || head.value(for: "X-Token-Expired") != nil }
    /// ```
    ///
    /// Called off the main actor, for the response to the first attempt. The request is sent again whatever its method is, so
    /// answer `true` only where the server has done nothing.
    public var rejection: Rejection?

    /// When a credential expires, as far as that is known; with it the refresh comes before the request, not after a 401.
    ///
    /// Called off the main actor, before each request.
    public var expiry: (@Sendable (Credential) -> Date?)?

    /// How long before its ``expiry`` a credential is refreshed: 30 s.
    public var leeway: Duration = .seconds(30)

    /// How long a refresh may take: 30 s. Then those who wait end with ``AuthenticationError/refreshTimedOut(after:origin:)``,
    /// and the refresh is cancelled; if it brings a credential nevertheless, that is kept unless there is another.
    public var timeLimit: Duration = .seconds(30)

    /// How many refreshes there may be in 30 seconds: 5. Who would need one more ends with
    /// ``AuthenticationError/tooManyRefreshes(maximum:origin:)``, or, if it is for the ``expiry`` alone, is sent as it is.
    public var maximumRefreshes = 5

    let store: CredentialStore<Credential>
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date
    let apply: Application
    let refresh: @Sendable (Credential?) async throws -> Credential

    /// Makes an authenticator for credentials that are renewed by means of the old one.
    ///
    /// - Parameters:
    ///   - credential: the one to begin with, as a keychain has it; `nil` if nobody has signed in.
    ///   - origin: a URL of the server that it is for, such as its base URL; others may be added to ``origins``.
    ///   - clock: what measures the ``timeLimit``. A test hands over a clock of its own and needs no real time.
    ///   - now: tells the time of day, for the ``expiry``.
    ///   - apply: puts the credential into a request. A header should be a secret by its name, as
    ///     ``HeaderRedaction/secrets`` says: such a header isn't sent on to another origin by a redirect. Called off the main
    ///     actor for each attempt; what it throws fails the future.
    ///   - refresh: gets a new credential, given the old one. Called off the main actor, in a task without the task-local
    ///     values of the request that needs it; never twice at a time, unless one goes on that is out of time. What it
    ///     throws is the error of all who wait, and a `CancellationError` cancels them.
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

    /// Makes an authenticator for credentials that need no old one: it gets one before the first request, as for the client
    /// credentials of RFC 6749, section 4.4.
    ///
    /// After ``removeCredential()`` requests are sent without one, until ``setCredential(_:)``.
    ///
    /// - Parameters:
    ///   - origin: a URL of the server that they are for.
    ///   - clock: what measures the ``timeLimit``.
    ///   - now: tells the time of day.
    ///   - apply: puts the credential into a request, as in the other initialiser.
    ///   - obtain: gets a credential, as the `refresh` of the other initialiser does.
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
        refresh: @escaping @Sendable (Credential?) async throws -> Credential
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

    package func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        guard concerns(exchange.urlRequest) else { return try await exchange.response(in: work) }
        return try await AuthenticationRun(exchange, by: self, in: work).response()
    }

    /// A refresh, which is awaited, is somebody else's code.
    package var endsPromptly: Bool { false }
}
