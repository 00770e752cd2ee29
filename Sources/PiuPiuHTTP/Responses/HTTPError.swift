import Foundation

/// The error that an HTTP status stands for.
///
/// ```swift
/// .success { response in
///     if let error = response.httpError { throw error }
/// }
/// ```
///
/// The package never throws it by itself: a status is data, and a 404 arrives as a response whose
/// ``HTTPResponse/httpError`` is ``clientError(_:)``. Throw it where such a response is of no use.
///
/// Its text has only the status, as that is its only payload: code for PiuPiu 1.x matches it. The text of the
/// ``UnacceptableStatusError`` that `validated()` throws also has the method, the URL and the beginning of the body.
/// ``ResponseFuture/namingRequest(_:)`` puts method and URL before the text of this error.
public enum HTTPError: LocalizableError, Equatable {
    /// A status from 400 to 499: the request is at fault.
    case clientError(StatusCode)
    /// A status from 500 to 599: the server is at fault.
    case serverError(StatusCode)
    /// A status outside 100 to 599, which HTTP doesn't allow.
    case invalidStatusCode(StatusCode)

    /// The status of the response.
    public var statusCode: StatusCode {
        switch self {
        case .clientError(let statusCode), .serverError(let statusCode), .invalidStatusCode(let statusCode): statusCode
        }
    }

    /// The key of the case, as "HTTPError.clientError": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .clientError: "HTTPError.clientError"
        case .serverError: "HTTPError.serverError"
        case .invalidStatusCode: "HTTPError.invalidStatusCode"
        }
    }

    /// The text of the status, such as "Not Found": ``StatusCode/localizedDescription``.
    public var errorDescription: String? { statusCode.localizedDescription }

    /// The server's answer, with the number of the status.
    public var failureReason: String? { localizedReason(reason) }

    private var reason: ErrorText {
        let status = statusCode.rawValue
        return switch self {
        case .clientError: "The server refused the request with HTTP status \(status, as: "status")."
        case .serverError: "The server failed with HTTP status \(status, as: "status")."
        case .invalidStatusCode: "The server answered with \(status, as: "status"), which is no HTTP status."
        }
    }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        switch self {
        case .clientError(.unauthorized), .clientError(.forbidden), .clientError(.proxyAuthenticationRequired):
            ErrorText("Check the credentials that the request carries.").localized("HTTPError.credentials.advice")
        case .clientError(.requestTimeout), .clientError(.tooEarly), .clientError(.tooManyRequests):
            ErrorText("Send the request again later; a Retry-After header says when.")
                .localized("HTTPError.retryLater.advice")
        case .clientError: localizedAdvice("Correct the request: its URL, method, headers or body.")
        case .serverError: localizedAdvice("Send the request again later, or contact the server's operator.")
        case .invalidStatusCode:
            localizedAdvice("Check that the URL is that of an HTTP server, and contact its operator.")
        }
    }
}
