#if canImport(FoundationNetworking)
    package import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A request for a ``TransferEngine``.
public struct TransferRequest: Sendable {
    private struct Parts: Sendable {
        var urlRequest: URLRequest
        var body: TransferBody
        var expectsLargeResponse: Bool
        var isStream = false
        var redirectPolicy = RedirectPolicy.follow
        var observation: ExchangeObservation?
        var sentCredential: SentCredential?
        let withholdsSecrets: Bool
        var isOfCredentialRefresh = CredentialRefresh.isCurrent
        var copy: Int
        var isReplacement = false
        var isLaterHop = false
        var sharedTimeout: TimeInterval?
        var cacheHop: CacheHop?
        var turn: (any TransferTurn)?
        var driver: TransferDriver?
        var spool: BodySpool?

        init(_ urlRequest: URLRequest, _ body: TransferBody, expectsLargeResponse: Bool) {
            let context = PolicyContext.current
            self.urlRequest = urlRequest
            self.body = body
            self.expectsLargeResponse = expectsLargeResponse
            observation = context.observation
            sentCredential = context.sentCredential
            withholdsSecrets = context.withholdsSecrets
            copy = context.hedge?.copy ?? 1
        }
    }

    /// Behind one reference: a request is handed on many times on its way, and seldom changed.
    private var parts: Boxed<Parts>

    /// The URL, the method, the headers and the timeout. An `httpBody` in it is not what is sent: ``body`` is.
    public var urlRequest: URLRequest {
        get { parts.value.urlRequest }
        set { parts.value.urlRequest = newValue }
    }

    /// What is sent after the headers.
    public var body: TransferBody {
        get { parts.value.body }
        set { parts.value.body = newValue }
    }

    /// The chunks of the body; `nil` for any other body.
    var chunks: TransferChunks? { if case .chunks(let chunks) = body { chunks } else { nil } }

    /// Whether the response is one that goes to a file or is read as a stream: an engine may keep it from getting in
    /// the way of others.
    public var expectsLargeResponse: Bool {
        get { parts.value.expectsLargeResponse }
        set { parts.value.expectsLargeResponse = newValue }
    }

    /// Whether the response is read as a stream, which lasts for as long as its reader and the server want.
    package var isStream: Bool {
        get { parts.value.isStream }
        set { parts.value.isStream = newValue }
    }

    /// How redirects are handled; engines ignore it.
    package var redirectPolicy: RedirectPolicy {
        get { parts.value.redirectPolicy }
        set { parts.value.redirectPolicy = newValue }
    }

    /// The observation of the exchange that the request was made for.
    package var observation: ExchangeObservation? {
        get { parts.value.observation }
        set { parts.value.observation = newValue }
    }

    /// The credential in it: when that was removed, it isn't sent any more.
    var sentCredential: SentCredential? {
        get { parts.value.sentCredential }
        set { parts.value.sentCredential = newValue }
    }

    /// Whether it gets no secrets of a configuration.
    var withholdsSecrets: Bool { parts.value.withholdsSecrets }

    /// Whether a refresh of a credential sends it, so that it must not be behind those who wait for that refresh.
    package var isOfCredentialRefresh: Bool {
        get { parts.value.isOfCredentialRefresh }
        set { parts.value.isOfCredentialRefresh = newValue }
    }

    /// The number of the copy that a hedge sends, from 1; 1 without a hedge.
    package var copy: Int {
        get { parts.value.copy }
        set { parts.value.copy = newValue }
    }

    /// Whether it follows a redirect: the exchange was sent before.
    package var isLaterHop: Bool {
        get { parts.value.isLaterHop }
        set { parts.value.isLaterHop = newValue }
    }

    /// Whether it is sent in place of one whose answer was of no use: its start was reported with that.
    package var isReplacement: Bool {
        get { parts.value.isReplacement }
        set { parts.value.isReplacement = newValue }
    }

    /// How long a connection is waited for, if the request is that of several callers, who have timeouts of their own.
    package var sharedTimeout: TimeInterval? {
        get { parts.value.sharedTimeout }
        set { parts.value.sharedTimeout = newValue }
    }

    /// Whether it is that of several callers.
    var isShared: Bool { sharedTimeout != nil }

    /// How long a connection is waited for.
    var connectTimeout: TimeInterval { sharedTimeout ?? urlRequest.timeoutInterval }

    /// What a cache asks the server for with it.
    var cacheHop: CacheHop? {
        get { parts.value.cacheHop }
        set { parts.value.cacheHop = newValue }
    }

    /// Who is notified that the request waits for its turn in the engine.
    package var turn: (any TransferTurn)? {
        get { parts.value.turn }
        set { parts.value.turn = newValue }
    }

    /// Which driver sends it: what a cache sends because of it, in the background, ends with that one.
    var driver: TransferDriver? {
        get { parts.value.driver }
        set { parts.value.driver = newValue }
    }

    /// Collects the chunks of the body, if the engine can't send them as they come; `nil` for any other body.
    package var spool: BodySpool? {
        get { parts.value.spool }
        set { parts.value.spool = newValue }
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - urlRequest: the URL, the method, the headers and the timeout.
    ///   - body: the body; `nil` for the body of the `URLRequest`, if any. Data without a byte is no body.
    ///   - expectsLargeResponse: whether the response goes to a file or is read as a stream.
    public init(_ urlRequest: URLRequest, body: TransferBody? = nil, expectsLargeResponse: Bool = false) {
        let ownBody = body.map { $0.isEmpty ? .none : $0 }
        parts = Boxed(
            Parts(urlRequest, ownBody ?? TransferBody(of: urlRequest), expectsLargeResponse: expectsLargeResponse))
        guard body != nil else { return }
        if urlRequest.httpBody != nil { self.urlRequest.httpBody = nil }
        if urlRequest.httpBodyStream != nil { self.urlRequest.httpBodyStream = nil }
    }

    /// The validated request; with another scheme than HTTP's only if that is allowed.
    func validated(allowsOtherSchemes: @autoclosure () -> Bool = false) throws(InvalidRequestError) -> TransferRequest {
        guard let corrected = try urlRequest.corrected(allowsOtherSchemes: allowsOtherSchemes()) else { return self }
        var valid = self
        valid.urlRequest = corrected
        return valid
    }
}
