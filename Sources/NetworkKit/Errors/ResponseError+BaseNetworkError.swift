import Foundation

extension ResponseError: BaseNetworkError {
    /// The domain of the `NSError`.
    public static var errorDomain: String { "NetworkKit.ResponseError" }

    /// The code of the `NSError`: the position of the case, from 0.
    public var errorCode: Int {
        switch self {
        case .badRequest: 0
        case .unauthorized: 1
        case .forbidden: 2
        case .notFound: 3
        case .conflict: 4
        case .unprocessableEntity: 5
        case .internalServerError: 6
        case .serviceUnavailable: 7
        case .otherClientError: 8
        case .otherServerError: 9
        case .unknown: 10
        }
    }
}
