import Foundation

extension RequestError: BaseNetworkError {
    /// The domain of the `NSError`.
    public static var errorDomain: String { "NetworkKit.RequestError" }

    /// The code of the `NSError`: the position of the case, from 0.
    public var errorCode: Int {
        switch self {
        case .invalidURL: 0
        case .missingServerProvider: 1
        }
    }
}
