#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A response of any protocol: a body, its head, and the request that it answers.
///
/// ```swift
/// let response = try await dispatcher.dataFuture(from: request).value
/// let posts = try response.decode([Post].self)
/// ```
///
/// A status is data here: a 404 is a response like any other. ``makeHTTPResponse()`` gives the ``HTTPResponse`` with
/// its status and `httpError`.
public struct Response<Body: Sendable>: ResponseInterface {
    /// The body.
    public let data: Body

    /// The request that the response answers: after redirects, the last one.
    public let urlRequest: URLRequest

    /// The head of the response, as it came.
    public let head: TransferHead

    /// The head of the response as a type of Foundation, an `HTTPURLResponse` for HTTP; the same object each time.
    @inlinable
    public var urlResponse: URLResponse { head.urlResponse }

    /// Makes a response from its parts.
    @inlinable
    public init(data: Body, urlRequest: URLRequest, urlResponse: URLResponse) {
        self.init(data: data, urlRequest: urlRequest, head: TransferHead(urlResponse))
    }

    /// Makes a response from its parts.
    @inlinable
    public init(data: Body, urlRequest: URLRequest, head: TransferHead) {
        self.data = data
        self.urlRequest = urlRequest
        self.head = head
    }

    /// Makes a response with the head and the request of another one, and its own body.
    @inlinable
    public init(response: some ResponseInterface, data: Body) {
        self.init(data: data, urlRequest: response.urlRequest, head: response.head)
    }
}
