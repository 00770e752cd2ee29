public import Foundation

extension MockDispatcher {
    /// Makes a mock that fails with an error, if one is given, as in 4.2. Since 5.0 the status decides.
    ///
    /// - Parameters:
    ///   - baseUrl: the base URL.
    ///   - mockStatusCode: the status, unless there is an error.
    ///   - mockError: the error; its status replaces `mockStatusCode`, and its cause is dropped.
    ///   - mockHeaders: the headers.
    @available(
        *, deprecated,
        message: "use init(baseUrl:mockStatusCode:mockHeaders:) with a status that stands for the error"
    )
    public convenience init(
        baseUrl: URL, mockStatusCode: StatusCode, mockError: ResponseError?, mockHeaders: [String: String] = [:]
    ) {
        self.init(
            baseUrl: baseUrl, mockStatusCode: mockError?.statusCode ?? mockStatusCode, mockHeaders: mockHeaders)
    }
}

extension ResponseError {
    /// A status that stands for the error.
    fileprivate var statusCode: StatusCode {
        switch self {
        case .badRequest: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .conflict: .conflict
        case .unprocessableEntity: .unprocessableEntity
        case .internalServerError: .internalServerError
        case .serviceUnavailable: .serviceUnavailable
        case .otherClientError: .methodNotAllowed
        case .otherServerError: .notImplemented
        case .unknown: .other(600)
        }
    }
}
