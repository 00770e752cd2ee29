#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What every response has: a body, its head, and the request that it answers.
///
/// ```swift
/// func log(_ response: some ResponseInterface<Data?>) throws {
///     print(response.urlRequest, try response.decodeString())
/// }
/// ```
///
/// ``Response`` and ``HTTPResponse`` are the two kinds of the package. A body as it arrived is a `Data?`, and brings
/// the `decode` family along; everything there is synchronous and runs where it is called.
@preconcurrency
public protocol ResponseInterface<Body>: StatusValidating {
    /// The type of the body: `Data?` as it arrives, a model after decoding, the `URL` of a file after a download.
    associatedtype Body: Sendable

    /// The body.
    var data: Body { get }

    /// The head of the response.
    var urlResponse: URLResponse { get }

    /// The head of the response as it came, with its redirects and its metrics.
    ///
    /// The default is made of ``urlResponse``, and knows neither.
    var head: TransferHead { get }

    /// The request that the response answers: after redirects, the last one.
    var urlRequest: URLRequest { get }
}

extension ResponseInterface {
    /// The head of ``urlResponse``.
    public var head: TransferHead { TransferHead(urlResponse) }

    /// The redirects that were followed on the way to this response, in order.
    ///
    /// ```swift
    /// let hosts = response.redirects.map { $0.urlRequest.url?.host() }
    /// ```
    public var redirects: [TransferRedirect] { head.redirects }

    /// What was measured of the exchange: of its last hop, if it was redirected. `nil` for a response that came without a
    /// network; a stream has it in ``StreamedBody/metrics``, after its end.
    public var metrics: TransferMetrics? { head.metrics }

    /// The attempts before the one that this response came of, in order, if a ``RetryPolicy`` has made some.
    public var earlierAttempts: [ExchangeAttempt] { head.earlierAttempts }
}
