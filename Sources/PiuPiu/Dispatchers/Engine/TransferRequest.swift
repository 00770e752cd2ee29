#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What a ``TransferEngine`` is to send.
public struct TransferRequest: Sendable {
    /// The URL, the method, the headers and the timeout. An `httpBody` in it is not what is sent: ``body`` is.
    public var urlRequest: URLRequest

    /// What is sent after the headers.
    public var body: TransferBody

    /// Whether the response is one that goes to a file or is read as a stream: an engine may keep it from getting in
    /// the way of others.
    public var expectsLargeResponse: Bool

    /// Whether the response is read as a stream, which lasts for as long as its reader and the server want.
    package var isStream = false

    /// What becomes of a redirect, which is none of the engine's business.
    package var redirectPolicy = RedirectPolicy.follow

    /// The observation of the exchange that the request was made for.
    package var observation = ExchangeObservation.current

    /// Whether a refresh of a credential sends it, so that it must not be behind those who wait for that refresh.
    package var isOfCredentialRefresh = CredentialRefresh.isCurrent

    /// Which copy of an exchange it is, that is sent more than once at a time; 1 where it isn't.
    package var copy = HedgeScope.current?.copy ?? 1

    /// What a cache asks the server for with it.
    var cacheHop: CacheHop?

    /// Who is notified that the request waits for its turn in the engine.
    package var turn: (any TransferTurn)?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - urlRequest: the URL, the method, the headers and the timeout.
    ///   - body: what is sent after the headers; `nil` for the body that the `URLRequest` has, if any.
    ///   - expectsLargeResponse: whether the response goes to a file or is read as a stream.
    public init(_ urlRequest: URLRequest, body: TransferBody? = nil, expectsLargeResponse: Bool = false) {
        self.urlRequest = urlRequest
        self.body = body ?? TransferBody(of: urlRequest)
        self.expectsLargeResponse = expectsLargeResponse
        guard body != nil else { return }
        if urlRequest.httpBody != nil { self.urlRequest.httpBody = nil }
        if urlRequest.httpBodyStream != nil { self.urlRequest.httpBodyStream = nil }
    }

    /// The request as it may be sent.
    func validated() throws(InvalidRequestError) -> TransferRequest {
        var valid = self
        valid.urlRequest = try urlRequest.validated()
        return valid
    }
}
