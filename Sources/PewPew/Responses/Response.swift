public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A response of any status; `error` is there if the status stands for one.
public struct Response<T>: ResponseInterface {
    /// The body.
    public let data: T
    /// The head.
    public let httpResponse: HTTPURLResponse
    /// The request, as it was sent.
    public let urlRequest: URLRequest
    /// The status.
    public let statusCode: StatusCode
    /// The error that the status stands for.
    public let error: ResponseError?

    /// Makes a response from its parts.
    public init(
        data: T, httpResponse: HTTPURLResponse, urlRequest: URLRequest, statusCode: StatusCode, error: ResponseError?
    ) {
        self.data = data
        self.httpResponse = httpResponse
        self.urlRequest = urlRequest
        self.statusCode = statusCode
        self.error = error
    }
}

extension Response: Sendable where T: Sendable {}
