extension StatusCode {
    /// The error of PiuPiu 1.4 that the code stands for, or `nil` for a code from 100 to 399.
    ///
    /// It differs from ``httpError``: code that throws one must not catch the other.
    @available(*, deprecated, message: "Use httpError, an HTTPError: change what catches it, too.")
    public var error: ResponseError? {
        switch self {
        case .badRequest: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .conflict: .conflict
        case .unprocessableEntity: .unprocessableEntity
        case .internalServerError: .internalServerError
        case .serviceUnavailable: .serviceUnavailable
        default:
            switch type {
            case .informational, .success, .redirect: nil
            case .clientError: .otherClientError
            case .serverError: .otherServerError
            case .invalid: .unknown
            }
        }
    }
}
