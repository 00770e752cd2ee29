public import PiuPiu

/// The status code of a response: that of PiuPiu.
public typealias StatusCode = PiuPiu.StatusCode

/// The class of a status code: that of PiuPiu.
public typealias StatusCodeType = PiuPiu.StatusCodeType

extension PiuPiu.StatusCode {
    /// The error that the code stands for, or `nil` if it stands for none and there is no cause.
    ///
    /// - Parameter cause: the cause in the error. A code that stands for no error, with a cause, gives
    ///   ``ResponseError/unknown(cause:)``.
    public func makeError(cause: (any Error)?) -> ResponseError? {
        switch (self, type) {
        case (.badRequest, _): .badRequest(cause: cause)
        case (.unauthorized, _): .unauthorized(cause: cause)
        case (.forbidden, _): .forbidden(cause: cause)
        case (.notFound, _): .notFound(cause: cause)
        case (.conflict, _): .conflict(cause: cause)
        case (.unprocessableEntity, _): .unprocessableEntity(cause: cause)
        case (.internalServerError, _): .internalServerError(cause: cause)
        case (.serviceUnavailable, _): .serviceUnavailable(cause: cause)
        case (_, .clientError): .otherClientError(cause: cause)
        case (_, .serverError): .otherServerError(cause: cause)
        case (_, .invalid): .unknown(cause: cause)
        case (_, .informational), (_, .success), (_, .redirect): cause.map { .unknown(cause: $0) }
        }
    }
}
