public import Foundation

/// A mock response whose body can't be made.
public enum MockResponseError: LocalizableError {
    /// The encoder threw `underlyingError` for a value of this type.
    case failedToEncodeBody(typeName: String, url: URL, underlyingError: any Error)
    /// The object holds a value that JSON can't express: a date, a number that isn't finite, …
    case invalidJSONObject(url: URL)
    /// The text has characters that the encoding lacks.
    case failedToEncodeString(encoding: String.Encoding, url: URL)

    /// The key of the case, as "MockResponseError.invalidJSONObject": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .failedToEncodeBody: "MockResponseError.failedToEncodeBody"
        case .invalidJSONObject: "MockResponseError.invalidJSONObject"
        case .failedToEncodeString: "MockResponseError.failedToEncodeString"
        }
    }

    /// Which mock response is at fault, why, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .failedToEncodeBody(let typeName, let url, let error):
            """
            The body of the mock response of \(url.textForErrors, as: "url") could not be encoded from \
            \(typeName, as: "type"): \(Self.reason(of: error), as: "reason"). Correct the value, or set up the \
            encoder for it.
            """
        case .invalidJSONObject(let url):
            """
            The body of the mock response of \(url.textForErrors, as: "url") is not a JSON object. Use strings, \
            finite numbers, booleans, nil, arrays and dictionaries.
            """
        case .failedToEncodeString(let encoding, let url):
            """
            The body of the mock response of \(url.textForErrors, as: "url") can't be written as \
            \(encoding, as: "encoding"). Use UTF-8, or leave out the characters that the encoding lacks.
            """
        }
    }

    private static func reason(of error: any Error) -> String {
        (error as? EncodingError)?.readableReason ?? error.localizedDescription.withoutFullStop
    }
}

extension MockResponseError: RequestNamingError {}
