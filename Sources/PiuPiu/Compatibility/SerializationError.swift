public import Foundation

/// What `decode` threw in PiuPiu 1.4.
///
/// Nothing throws it any more. Where errors of the two kinds that took its place are handled in one place, ask
/// ``init(_:)``:
///
/// ```swift
/// .error { error in
///     switch SerializationError(error) {
///     case .failedToDecodeResponseData(let cause)?: show(cause)
///     case .unexpectedEmptyResponse?: showNothing()
///     case nil: show(error)
///     }
/// }
/// ```
@available(*, deprecated, message: "Catch ResponseDecodingError, or ResponseError.unexpectedEmptyResponse.")
public enum SerializationError: LocalizedError, Sendable {
    /// The body can't be decoded: a ``ResponseDecodingError``, whose `underlyingError` is the cause.
    case failedToDecodeResponseData(cause: (any Error)?)
    /// There is no body: ``ResponseError/unexpectedEmptyResponse``.
    case unexpectedEmptyResponse

    /// What an error of today was in PiuPiu 1.4, or `nil` if it was another.
    public init?(_ error: any Error) {
        switch error {
        case let error as SerializationError: self = error
        case let error as ResponseDecodingError: self = .failedToDecodeResponseData(cause: error.underlyingError)
        case ResponseError.failedToDecodeDataToString: self = .failedToDecodeResponseData(cause: nil)
        case ResponseError.unexpectedEmptyResponse: self = .unexpectedEmptyResponse
        default: return nil
        }
    }

    /// The key that the case had: "InvalidObject" or "EmptyResponse".
    public var errorKey: String {
        switch self {
        case .failedToDecodeResponseData: "InvalidObject"
        case .unexpectedEmptyResponse: "EmptyResponse"
        }
    }

    /// What happened.
    public var errorDescription: String? {
        switch self {
        case .failedToDecodeResponseData(let cause):
            cause?.localizedDescription ?? "The response's body could not be decoded."
        case .unexpectedEmptyResponse: ResponseError.unexpectedEmptyResponse.errorDescription
        }
    }
}
