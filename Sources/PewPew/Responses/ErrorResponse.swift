public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A response whose status stands for an error.
public struct ErrorResponse<T>: ResponseInterface {
    /// The body.
    public let data: T
    /// The head.
    public let httpResponse: HTTPURLResponse
    /// The request, as it was sent.
    public let urlRequest: URLRequest
    /// The status.
    public let statusCode: StatusCode
    /// The error that the status stands for.
    public let error: ResponseError

    /// Makes a response from its parts.
    public init(
        data: T, httpResponse: HTTPURLResponse, urlRequest: URLRequest, statusCode: StatusCode, error: ResponseError
    ) {
        self.data = data
        self.httpResponse = httpResponse
        self.urlRequest = urlRequest
        self.statusCode = statusCode
        self.error = error
    }

    /// Makes a response with the head and the request of another one, its own body and an error.
    public init<R: ResponseInterface>(data: T, response: R, error: ResponseError) {
        self.init(
            data: data, httpResponse: response.httpResponse, urlRequest: response.urlRequest,
            statusCode: response.statusCode, error: error)
    }

    /// Makes a response like another one with another body.
    public init<U>(data: T, response: ErrorResponse<U>) {
        self.init(data: data, response: response, error: response.error)
    }
}

extension ErrorResponse: Sendable where T: Sendable {}

extension ErrorResponse: ErrorHolding {
    var heldError: any Error { error }

    var textWithoutBody: String { "\(urlRequest.exchangeText), \(statusCode.rawValue), \(error)" }
}
