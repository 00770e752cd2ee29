#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The parts of every response: a body, its head, and the request that it answers.
///
/// ```swift
/// func log(_ response: some ResponseInterface<Data?>) throws {
///     print(response.urlRequest.curl(), try response.decodeString())
/// }
/// ```
///
/// The package has two kinds, ``Response`` and ``HTTPResponse``. A body as it arrived is a `Data?`. It has the `decode`
/// methods, which are synchronous and run on the calling thread.
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
    /// The default is made from ``urlResponse``, and has neither.
    var head: TransferHead { get }

    /// The request that the response answers: after redirects, the last one.
    var urlRequest: URLRequest { get }
}

extension ResponseInterface {
    /// The head of ``urlResponse``.
    public var head: TransferHead { TransferHead(urlResponse) }

    /// The status; `nil` for a response that didn't come over HTTP, such as that of a `file:` URL.
    ///
    /// ```swift
    /// if response.status == .notModified { return old }
    /// ```
    ///
    /// An ``HTTPResponse`` has it as ``HTTPResponse/statusCode``, which isn't optional. The plain number is that of
    /// ``head``.
    public var status: StatusCode? { head.status.map { StatusCode(rawValue: $0) } }

    /// The redirects that were followed on the way to this response, in order.
    ///
    /// ```swift
    /// let hosts = response.redirects.map { $0.urlRequest.url?.host() }
    /// ```
    public var redirects: [TransferRedirect] { head.redirects }

    /// The measurements of the exchange, or of its last hop if it was redirected.
    ///
    /// `nil` for a response that came without a network. A stream has them in ``StreamedBody/metrics``, after its end.
    public var metrics: TransferMetrics? { head.metrics }

    /// The attempts before the one that brought this response, in order, if a ``RetryPolicy`` has made some.
    public var earlierAttempts: [ExchangeAttempt] { head.earlierAttempts }
}
