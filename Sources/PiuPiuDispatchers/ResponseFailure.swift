public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An error with its request, for errors that don't know theirs.
///
/// ```swift
/// do {
///     let post = try await dispatcher.dataFuture(from: request).decoded(Post.self).namingRequest(request).value
/// } catch let failure as ResponseFailure {
///     print(failure.localizedDescription)  // The request GET https://example.com/posts/1 failed: …
/// }
/// ```
///
/// ``ResponseError`` and ``HTTPError`` have the plain cases of PiuPiu 1.x, so that `catch
/// ResponseError.notHTTPResponse` works. Therefore they don't name a URL. To add it, wrap them with
/// ``ResponseFuture/namingRequest(_:)`` or ``ResponseInterface/namingFailures(_:)``; the package never does so by
/// itself.
///
/// Its description leaves out the user name, the password and the query of the URL, so that it may go to a log;
/// ``url`` has them all.
public struct ResponseFailure: LocalizableError {
    /// The wrapped error.
    public let error: any Error

    /// The method of the request, such as "GET".
    public let method: String?

    /// The URL of the request.
    public let url: URL?

    /// The status of the response, or `nil` when there is none or it isn't known.
    public let statusCode: StatusCode?

    /// Wraps the error of a response.
    public init(_ error: any Error, in response: some ResponseInterface) {
        self.error = error
        method = response.urlRequest.httpMethod
        url = response.urlRequest.url ?? response.head.url
        statusCode = response.status
    }

    /// Wraps the error of a request.
    public init(_ error: any Error, of urlRequest: URLRequest) {
        self.error = error
        method = urlRequest.httpMethod
        url = urlRequest.url
        statusCode = (error as? HTTPError)?.statusCode
    }

    /// The wrapped error, if it is a ``ResponseError``.
    public var responseError: ResponseError? { error as? ResponseError }

    /// The wrapped error, if it is an ``HTTPError``.
    public var httpError: HTTPError? { error as? HTTPError }

    /// The key of the description, "ResponseFailure": see ``LocalizableError``. The wrapped error has its own.
    public var errorKey: String { "ResponseFailure" }

    /// The request, and the description of the error.
    public var errorDescription: String? {
        let request = ExchangeName(method: method, url: url, statusCode: statusCode)
        return localizedText("The request \(request, as: "request") failed: \(error.localizedDescription, as: "error")")
    }

    /// The reason of the error.
    public var failureReason: String? { (error as? any LocalizedError)?.failureReason }

    /// The advice of the error.
    public var recoverySuggestion: String? { (error as? any LocalizedError)?.recoverySuggestion }
}

extension ResponseInterface {
    /// Runs a closure with the response, and throws its error as a ``ResponseFailure`` with the request and the status.
    ///
    /// ```swift
    /// let text = try response.namingFailures { try $0.decodeString() }
    /// ```
    ///
    /// A cancellation is thrown unchanged. So is an error that already names its request: a ``TransferError``, a
    /// ``ResponseDecodingError``, an ``UnacceptableStatusError``, an ``InvalidRequestError``, a ``RequestBodyError``
    /// that knows it, a ``DeadlineExceeded``, a ``LineFullError``, a ``CircuitOpenError``, an ``EventSourceError``, a
    /// ``MockResponseError``, a ``ResponseFailure``, and the `MockError` and `ReplayError` of `PiuPiuTesting`.
    public func namingFailures<Output>(_ body: (Self) throws -> Output) throws -> Output {
        do {
            return try body(self)
        } catch  where error.lacksRequest {
            throw ResponseFailure(error, in: self)
        }
    }
}

extension ResponseFuture {
    /// The same future with errors that name the request: any other error is wrapped in a ``ResponseFailure``.
    ///
    /// ```swift
    /// dispatcher.dataFuture(from: request)
    ///     .decoded([Post].self)
    ///     .namingRequest(request)
    ///     .error { error in log(error.localizedDescription) }
    ///     .send()
    /// ```
    ///
    /// A cancellation passes unchanged, and so does an error that already names its request: see
    /// ``ResponseInterface/namingFailures(_:)``. Runs in the background.
    public func namingRequest(_ urlRequest: URLRequest) -> ResponseFuture<Success> {
        thenResult { result in
            do {
                return try result.get()
            } catch  where error.lacksRequest {
                throw ResponseFailure(error, of: urlRequest)
            }
        }
    }
}

extension Error {
    fileprivate var lacksRequest: Bool {
        !isCancellation && (self as? any RequestNamingError)?.namesRequest != true
    }
}

extension ResponseFailure: RequestNamingError {}
