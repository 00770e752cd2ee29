public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A response whose status stands for no error.
public struct SuccessResponse<T>: ResponseInterface {
    /// The body.
    public let data: T
    /// The head.
    public let httpResponse: HTTPURLResponse
    /// The request, as it was sent.
    public let urlRequest: URLRequest
    /// The status.
    public let statusCode: StatusCode

    /// Makes a response from its parts.
    public init(data: T, httpResponse: HTTPURLResponse, urlRequest: URLRequest, statusCode: StatusCode) {
        self.data = data
        self.httpResponse = httpResponse
        self.urlRequest = urlRequest
        self.statusCode = statusCode
    }

    /// Makes a response with the head and the request of another one, and its own body.
    public init<R: ResponseInterface>(data: T, response: R) {
        self.init(
            data: data, httpResponse: response.httpResponse, urlRequest: response.urlRequest,
            statusCode: response.statusCode)
    }
}

extension SuccessResponse: Sendable where T: Sendable {}
