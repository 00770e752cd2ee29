import Foundation
import PiuPiu

// The compiler's own description of an error shows its cause. That of a `URLError` shows the URL with its query.

extension RequestError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key, and the text of the cause, without secrets.
    public var description: String {
        switch self {
        case .invalidURL(let cause): text(of: cause, forKey: errorKey)
        case .missingServerProvider: errorKey
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the cause may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ResponseError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key, and the text of the cause, without secrets: "Unknown: The request timed out."
    public var description: String {
        switch self {
        case .badRequest(let cause), .unauthorized(let cause), .forbidden(let cause), .notFound(let cause),
            .conflict(let cause), .unprocessableEntity(let cause), .internalServerError(let cause),
            .serviceUnavailable(let cause), .otherClientError(let cause), .otherServerError(let cause),
            .unknown(let cause):
            text(of: cause, forKey: errorKey)
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the cause may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SerializationError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key, and the text of the cause, without secrets.
    public var description: String {
        switch self {
        case .failedToDecodeResponseData(let cause): text(of: cause, forKey: errorKey)
        case .unexpectedEmptyResponse: errorKey
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the cause may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

private func text(of cause: (any Error)?, forKey key: String) -> String {
    // Foundation's text of a decoding error says only that a format is wrong.
    cause.map { "\(key): \(($0 as? DecodingError)?.readableReason ?? $0.localizedDescription)" } ?? key
}
