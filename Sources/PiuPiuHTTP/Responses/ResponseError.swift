public import Foundation

/// A fault of a response before its body is decoded.
///
/// A body that can't be decoded is a ``ResponseDecodingError``. A status is no error at all (see ``HTTPError``). The
/// cases and keys are those of PiuPiu 1.11. The deprecated cases, for statuses, are those of PiuPiu 1.4; only
/// `Response.error` and `StatusCode.error` make them.
public enum ResponseError: LocalizableError, Equatable {
    /// The exchange ended without a response.
    case noResponse
    /// The response isn't an `HTTPURLResponse`, such as that of a `file:` URL.
    case notHTTPResponse
    /// The response has no body, or one of zero bytes, where a body is needed.
    case unexpectedEmptyResponse
    /// The body isn't text in this encoding.
    case failedToDecodeDataToString(encoding: String.Encoding)

    // Cases and not constants, so that `as? ResponseError` and a `switch` find them; an extension can't add cases. They
    // stay deprecated, so an exhaustive `switch` in new code needs a `default`.

    /// A status 400, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.clientError(.badRequest), which httpError gives.")
    case badRequest
    /// A status 401, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.clientError(.unauthorized), which httpError gives.")
    case unauthorized
    /// A status 403, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.clientError(.forbidden), which httpError gives.")
    case forbidden
    /// A status 404, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.clientError(.notFound), which httpError gives.")
    case notFound
    /// A status 409, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.clientError(.conflict), which httpError gives.")
    case conflict
    /// A status 422, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.clientError(.unprocessableEntity), which httpError gives.")
    case unprocessableEntity
    /// A status 500, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.serverError(.internalServerError), which httpError gives.")
    case internalServerError
    /// A status 503, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.serverError(.serviceUnavailable), which httpError gives.")
    case serviceUnavailable
    /// Another status from 400 to 499, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.clientError, which httpError gives.")
    case otherClientError
    /// Another status from 500 to 599, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.serverError, which httpError gives.")
    case otherServerError
    /// A status outside 100 to 599, or no HTTP response, as PiuPiu 1.4 named it.
    @available(*, deprecated, message: "Use HTTPError.invalidStatusCode, which httpError gives.")
    case unknown

    /// A key that names the case, for a table of translated texts or a log: "NoResponse", for example.
    public var errorKey: String {
        caseName.prefix(1).uppercased() + caseName.dropFirst()
    }

    /// What happened, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .noResponse:
            "The server sent no response. Check the connection and the address, then send the request again."
        case .notHTTPResponse:
            "The response is not an HTTP response. Use an http or https URL, or keep the plain Response."
        case .unexpectedEmptyResponse:
            "The response has no body. Check its status, or use decodeIfPresent where a body may be missing."
        case .failedToDecodeDataToString(let encoding):
            "The response's body is not \(encoding, as: "encoding") text. Use the encoding that its Content-Type names."
        default:
            "The server answered with an error status (\(caseName, as: "status")). Read httpError for the status."
        }
    }

    /// The name of a case. Not by reflection, which would ask an app's own `description`, which may ask for the key.
    private var caseName: String {
        switch self {
        case .noResponse: "noResponse"
        case .notHTTPResponse: "notHTTPResponse"
        case .unexpectedEmptyResponse: "unexpectedEmptyResponse"
        case .failedToDecodeDataToString: "failedToDecodeDataToString"
        case .badRequest: "badRequest"
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .notFound: "notFound"
        case .conflict: "conflict"
        case .unprocessableEntity: "unprocessableEntity"
        case .internalServerError: "internalServerError"
        case .serviceUnavailable: "serviceUnavailable"
        case .otherClientError: "otherClientError"
        case .otherServerError: "otherServerError"
        case .unknown: "unknown"
        }
    }
}
