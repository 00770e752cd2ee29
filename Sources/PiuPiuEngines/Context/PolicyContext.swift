#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// What the policies around an exchange pass on to everything inside, as one task-local value.
package struct PolicyContext: Sendable {
    private struct Parts: Sendable {
        var deadline: Deadline?
        var observation: ExchangeObservation?
        var exchangeID: ExchangeID?
        var retryScope: RetryScope?
        var reconnecting: ReconnectingSessions?
        var sentCredential: SentCredential?
        var hedge: HedgeScope?
        var alias: ExchangeAlias?
        var withholdsSecrets = false
    }

    private final class Box: ExchangeContext {
        let parts: Parts

        init(_ parts: Parts) {
            self.parts = parts
        }
    }

    /// Boxed, because each layer of an exchange reads it; `nil` where no policy has left anything.
    private var box: Box?

    private var parts: Parts? { box?.parts }

    /// The context of this task.
    package static var current: PolicyContext { PolicyContext(ExchangeLocals.current as? Box) }

    /// The value to bind to ``ExchangeLocals``.
    package var local: (any ExchangeContext)? { box }

    private init(_ box: Box?) {
        self.box = box
    }

    private mutating func change(_ change: (inout Parts) -> Void) {
        var parts = parts ?? Parts()
        change(&parts)
        box = Box(parts)
    }

    /// The earliest deadline.
    package var deadline: Deadline? {
        get { parts?.deadline }
        set { change { $0.deadline = newValue } }
    }

    /// The innermost observation.
    package var observation: ExchangeObservation? {
        get { parts?.observation }
        set {
            change { parts in
                parts.observation = newValue
                parts.exchangeID = newValue?.exchange.id
            }
        }
    }

    /// The number of the innermost observed exchange, which an adapter of it can read, too.
    package private(set) var exchangeID: ExchangeID? {
        get { parts?.exchangeID }
        set { change { $0.exchangeID = newValue } }
    }

    /// The innermost retry.
    package var retryScope: RetryScope? {
        get { parts?.retryScope }
        set { change { $0.retryScope = newValue } }
    }

    /// The sessions of an event source, which connects again and again.
    package var reconnecting: ReconnectingSessions? {
        get { parts?.reconnecting }
        set { change { $0.reconnecting = newValue } }
    }

    /// The credential of the innermost authenticator.
    package var sentCredential: SentCredential? {
        get { parts?.sentCredential }
        set { change { $0.sentCredential = newValue } }
    }

    /// The copy of a hedged exchange.
    package var hedge: HedgeScope? {
        get { parts?.hedge }
        set { change { $0.hedge = newValue } }
    }

    /// Whether a server has chosen the origin of the request: it gets no secrets of a configuration.
    package var withholdsSecrets: Bool {
        get { parts?.withholdsSecrets ?? false }
        set { change { $0.withholdsSecrets = newValue } }
    }

    /// The innermost request with another method or URL than the caller's.
    private(set) var alias: ExchangeAlias? {
        get { parts?.alias }
        set { change { $0.alias = newValue } }
    }

    /// The observation of this request, if there is one.
    package func observation(of urlRequest: URLRequest) -> ExchangeObservation? {
        guard let observation, isSameExchange(urlRequest, as: observation.exchange.urlRequest) else { return nil }
        return observation
    }

    /// The sessions that this request was first sent in, if it may be sent more than once.
    package func sessions(of urlRequest: URLRequest) -> ExchangeSessions? {
        if let reconnecting, isSameExchange(urlRequest, as: reconnecting.urlRequest) { return reconnecting.sessions }
        return retryScope?.sessions(of: urlRequest, in: self)
    }

    /// The credential that an authenticator around has put into this request; `nil` if none has.
    func sentCredential(of urlRequest: URLRequest) -> SentCredential? {
        guard let sentCredential, isSameExchange(urlRequest, as: sentCredential.urlRequest) else { return nil }
        return sentCredential
    }

    /// The error of sending this request again, if a credential that an authenticator around has put into it was removed
    /// since (rule SESSION).
    package func credentialRemoval(of urlRequest: URLRequest) -> (any Error)? {
        sentCredential(of: urlRequest)?.removal
    }

    /// A receiver of the updates of this request, which also notes them for the retry of the same exchange (rule
    /// IDEMPOTENT): the updates of other requests, which a wrapper sends later, say nothing about this one.
    package func noting(
        _ report: @escaping @Sendable (TransferUpdate) -> Void, of urlRequest: URLRequest
    ) -> @Sendable (TransferUpdate) -> Void {
        guard let retryScope, isSameExchange(urlRequest, as: retryScope.urlRequest) else { return report }
        return { update in
            retryScope.note(TransferStep(of: update))
            report(update)
        }
    }

    /// Whether there is an observed exchange, a credential or a hedge, but of another request, as any is that an adapter
    /// sends.
    package func isOfAnother(_ urlRequest: URLRequest) -> Bool {
        if exchangeID != nil, observation(of: urlRequest) == nil { return true }
        if sentCredential != nil, sentCredential(of: urlRequest) == nil { return true }
        if let hedge, !isSameExchange(urlRequest, as: hedge.scope.urlRequest) { return true }
        return false
    }

    /// Whether there is neither an observed exchange nor a credential nor a hedge.
    package var isOfNone: Bool { exchangeID == nil && sentCredential == nil && hedge == nil }

    /// The context for this request, without the observation, the credential and the hedge of another one.
    package func narrowed(to urlRequest: URLRequest) -> PolicyContext {
        var context = self
        context.observation = observation(of: urlRequest)
        context.sentCredential = sentCredential(of: urlRequest)
        if let hedge, !isSameExchange(urlRequest, as: hedge.scope.urlRequest) { context.hedge = nil }
        return context
    }

    /// What an adapter gets of it: its own requests are never the exchange, even with the same method and URL, but they
    /// must be over by the same deadline (rule TOTAL).
    private var forAdapter: PolicyContext {
        var context = PolicyContext(deadline: deadline?.withoutHistory)
        if let exchangeID { context.exchangeID = exchangeID }
        return context
    }

    /// Does the work of an adapter.
    package static func inAdapter<Output>(_ operation: () async throws -> Output) async throws -> Output {
        let context = current
        guard context.local != nil else { return try await operation() }
        return try await ExchangeLocals.$current.withValue(context.forAdapter.local) { try await operation() }
    }

    /// A policy sends this request in place of another one.
    package mutating func add(_ urlRequest: URLRequest, insteadOf original: URLRequest) {
        guard !urlRequest.hasSameTarget(as: original) else { return }
        alias = ExchangeAlias(urlRequest, of: original, inside: alias)
    }

    /// Whether a request here belongs to the exchange of a policy around it.
    package func isSameExchange(_ urlRequest: URLRequest, as other: URLRequest) -> Bool {
        urlRequest.isSameExchange(as: other, by: alias)
    }

    /// The caller's request, which the policies around this one have made it from; itself if they have not.
    package func original(of urlRequest: URLRequest) -> URLRequest {
        alias?.outermostOriginal(of: urlRequest) ?? urlRequest
    }

    package init(deadline: Deadline? = nil) {
        if let deadline { self.deadline = deadline }
    }
}
