import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange under an ``Authenticator``, as a part of a future's work.
struct AuthenticationRun<Credential: Sendable, Content: Sendable>: Sendable {
    private typealias Store = CredentialStore<Credential>

    /// The next step after the first attempt.
    private enum Turn {
        case deliver(Response<Content>)
        /// The response is kept if the body may turn out not to be sendable again. `asksServer`: see `attempt`.
        case again(Store.Directive, fallback: Response<Content>?, asksServer: Bool)
    }

    private let authenticator: Authenticator<Credential>
    private let exchange: PendingExchange<Content>
    private let body: RetryBody
    private let work: InlineWork
    private let observation: ExchangeObservation?
    private let failures: Int
    /// The generations of the exchange's first attempts, if there may be several.
    private let sessions: ExchangeSessions?
    /// That of the first attempt with a credential, if one has begun.
    private let first: Int?

    init(_ exchange: PendingExchange<Content>, by authenticator: Authenticator<Credential>, in work: InlineWork) {
        self.authenticator = authenticator
        self.exchange = exchange
        self.work = work
        body = RetryBody(exchange.body, of: exchange.kind)
        observation = ExchangeObservation.current(for: exchange.urlRequest)
        let store = authenticator.store
        failures = store.failureCount
        sessions = PolicyContext.current.sessions(of: exchange.urlRequest)
        first = sessions?.first(of: store, now: store.issued.generationOfCredential)
    }

    /// The response, of the second attempt if the first was rejected.
    func response() async throws -> Response<Content> {
        let issued = try await credential(
            after: try authenticator.store.begin(since: first, asksServer: mayAskServer, for: authenticator))
        // During the wait, only the fallback retains the response: otherwise a stream would stay open.
        switch try await turn(sentWith: issued) {
        case .deliver(let response):
            return response
        case .again(let directive, let fallback, let asksServer):
            let second = try await credential(after: directive)
            if let fallback, !body.canBeSentAgain { return fallback }
            return try await attempt(with: second, asksServer: asksServer)
        }
    }

    /// The credential for the request, after waiting for a refresh if necessary.
    private func credential(after directive: Store.Directive) async throws -> Store.Issued {
        guard case .wait(let refresh, let generation) = directive else {
            if case .send(let issued) = directive { return issued }
            return authenticator.store.issued
        }
        _ = try await InnerFuture.value(of: refresh, for: work.run)
        // A later credential may be that of another user.
        guard let issued = authenticator.store.issued(since: generation) else { throw authenticator.credentialRemoved }
        observation?.report(.refreshed)
        return issued
    }

    private func turn(sentWith issued: Store.Issued) async throws -> Turn {
        var response = try await attempt(with: issued)
        guard authenticator.isRejected(response) else { return .deliver(response) }
        // What a cache has stored may be the rejection of another credential.
        if response.head.cacheStatus?.isHit == true, mayAskServer, body.canBeSentAgain {
            response = try await attempt(with: issued, asksServer: true)
            guard authenticator.isRejected(response) else { return .deliver(response) }
        }
        work.run.receive(.refusal)
        let directive = try authenticator.store.reject(
            issued, failures: failures, canSendAgain: body.canBeSentAgain, for: authenticator)
        if case .deliver = directive { return .deliver(response) }
        // A cache that it has passed through may have stored the rejection.
        let asksServer = response.head.cacheStatus != nil && mayAskServer
        return .again(directive, fallback: body.hasFiles ? response : nil, asksServer: asksServer)
    }

    /// Whether the request doesn't forbid to ask its server.
    private var mayAskServer: Bool { !CacheQuestion.isOffline(exchange.urlRequest) }

    /// - Parameter asksServer: whether no cache of this package may answer.
    private func attempt(with issued: Store.Issued, asksServer: Bool = false) async throws -> Response<Content> {
        var request = exchange.urlRequest
        if asksServer { request.bypassCaches() }
        if let credential = issued.credential {
            // It is the first one with a credential, which it has got since it began.
            if first == nil { _ = sessions?.first(of: authenticator.store, now: issued.generation) }
            try authenticator.apply(&request, credential)
        }
        return try await exchange.response(to: request, with: body.body, sending: sent(issued, in: request), in: work)
    }

    /// What the policies inside need to know of the credential; `nil` without one, as nobody can sign out then.
    ///
    /// - Throws: an error if that of an authenticator around this one was removed.
    private func sent(_ issued: Store.Issued, in request: URLRequest) throws -> SentCredential? {
        let context = PolicyContext.current
        if let removal = context.credentialRemoval(of: exchange.urlRequest) { throw removal }
        guard issued.credential != nil else { return nil }
        return SentCredential(in: exchange.urlRequest, sentAs: request, inside: context) {
            [authenticator, generation = issued.generation] in
            authenticator.store.issued(since: generation) == nil ? authenticator.credentialRemoved : nil
        }
    }
}
