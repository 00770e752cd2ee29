#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// An HTTP response: a body, a head with a status, and the request that it answers.
///
/// ```swift
/// let response = try response.makeHTTPResponse().validated()
/// let posts = try response.decode([Post].self)
/// ```
///
/// `response.headers["ETag"]` gives a header, whatever the case of its name.
public struct HTTPResponse<Body: Sendable>: ResponseInterface {
    /// The body.
    public let data: Body

    /// The request that the response answers: after redirects, the last one.
    ///
    /// It can be replaced, as in PiuPiu 1.x; that sends nothing.
    public var urlRequest: URLRequest

    /// The head of the response, as it came.
    public let head: TransferHead

    /// Makes a response from its parts.
    public init(data: Body, urlRequest: URLRequest, httpResponse: HTTPURLResponse) {
        self.init(data: data, urlRequest: urlRequest, head: TransferHead(httpResponse))
    }

    init(data: Body, urlRequest: URLRequest, head: TransferHead) {
        self.data = data
        self.urlRequest = urlRequest
        self.head = head
    }

    /// Makes a response with the head and the request of another one, and its own body.
    ///
    /// - Throws: ``ResponseError/notHTTPResponse`` when the other one came by another protocol, such as from a `file:`
    ///   URL.
    public init(response: some ResponseInterface, data: Body) throws {
        let head = response.head
        guard head.status != nil else { throw ResponseError.notHTTPResponse }
        self.init(data: data, urlRequest: response.urlRequest, head: head)
    }

    /// The head of the response as a type of Foundation; the same object each time.
    public var httpResponse: HTTPURLResponse { head.urlResponse as? HTTPURLResponse ?? .withoutHTTP }

    /// The head of the response: ``httpResponse``.
    public var urlResponse: URLResponse { httpResponse }

    /// The status of the response.
    public var statusCode: StatusCode { StatusCode(rawValue: head.status ?? 0) }

    /// The error that the status stands for, or `nil` for a status from 100 to 399.
    public var httpError: HTTPError? { statusCode.httpError }
}

extension HTTPURLResponse {
    // Sound: constant arguments that Foundation accepts; a test makes it.
    // swift-format-ignore: NeverForceUnwrap
    /// An empty head for a response that didn't come over HTTP.
    package static let withoutHTTP = HTTPURLResponse(
        url: URL(fileURLWithPath: "/"), statusCode: 0, httpVersion: nil, headerFields: nil)!
}
