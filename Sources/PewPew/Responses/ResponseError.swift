/// The error that an HTTP status stands for, or that came instead of a response. `cause` is its cause, if known.
public enum ResponseError: Error, Sendable {
    /// Status 400.
    case badRequest(cause: (any Error)?)
    /// Status 401.
    case unauthorized(cause: (any Error)?)
    /// Status 403.
    case forbidden(cause: (any Error)?)
    /// Status 404.
    case notFound(cause: (any Error)?)
    /// Status 409.
    case conflict(cause: (any Error)?)
    /// Status 422.
    case unprocessableEntity(cause: (any Error)?)
    /// Status 500.
    case internalServerError(cause: (any Error)?)
    /// Status 503.
    case serviceUnavailable(cause: (any Error)?)
    /// Another status from 400 to 499.
    case otherClientError(cause: (any Error)?)
    /// Another status from 500 to 599.
    case otherServerError(cause: (any Error)?)
    /// No response, or one with a number that is no HTTP status.
    case unknown(cause: (any Error)?)

    /// A key that names the case, for a table of translated texts or a log.
    public var errorKey: String {
        switch self {
        case .badRequest: "BadRequest"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "NotFound"
        case .conflict: "Conflict"
        case .unprocessableEntity: "UnprocessableEntity"
        case .internalServerError: "InternalServerError"
        case .serviceUnavailable: "ServiceUnavailable"
        case .otherClientError: "OtherClientError"
        case .otherServerError: "OtherServerError"
        case .unknown: "Unknown"
        }
    }
}
