public import Foundation

/// The errors of `decode` in PiuPiu 1.4.
///
/// Nothing throws it any more. To handle the two kinds of errors that replaced it in one place, use ``init(_:)``:
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
public enum SerializationError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable, Sendable
{
    /// The body can't be decoded: a ``ResponseDecodingError``, whose `underlyingError` is the cause.
    case failedToDecodeResponseData(cause: (any Error)?)
    /// There is no body: ``ResponseError/unexpectedEmptyResponse``.
    case unexpectedEmptyResponse

    /// The error of PiuPiu 1.4 for one of today; `nil` for any other error.
    public init?(_ error: any Error) {
        switch error {
        case let error as SerializationError: self = error
        case let error as ResponseDecodingError: self = .failedToDecodeResponseData(cause: error.underlyingError)
        case ResponseError.failedToDecodeDataToString: self = .failedToDecodeResponseData(cause: nil)
        case ResponseError.unexpectedEmptyResponse: self = .unexpectedEmptyResponse
        default: return nil
        }
    }

    /// The key of the case: "InvalidObject" or "EmptyResponse".
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

    // The compiler's own description would show all of the cause, which may quote the body.

    /// The key, and the text of the cause, without secrets: "InvalidObject: no value for key 'id' at the top level".
    public var description: String {
        switch self {
        case .failedToDecodeResponseData(let cause?):
            // Foundation's text of a decoding error says only that a format is wrong.
            "\(errorKey): \((cause as? DecodingError)?.readableReason ?? cause.localizedDescription)"
        case .failedToDecodeResponseData, .unexpectedEmptyResponse: errorKey
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the cause may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
