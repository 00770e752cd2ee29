import Foundation

extension SerializationError: BaseNetworkError {
    /// The domain of the `NSError`.
    public static var errorDomain: String { "NetworkKit.SerializationError" }

    /// The code of the `NSError`: the position of the case, from 0.
    public var errorCode: Int {
        switch self {
        case .failedToDecodeResponseData: 0
        case .unexpectedEmptyResponse: 1
        }
    }
}
