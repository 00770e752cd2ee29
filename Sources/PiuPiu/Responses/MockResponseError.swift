public import Foundation

/// A mock response whose body can't be made.
public enum MockResponseError: LocalizedError, Sendable {
    /// The encoder threw `underlyingError` for a value of this type.
    case failedToEncodeBody(typeName: String, url: URL, underlyingError: any Error)
    /// The object holds something that JSON can't express: a date, a number that isn't finite, …
    case invalidJSONObject(url: URL)
    /// The text has characters that the encoding lacks.
    case failedToEncodeString(encoding: String.Encoding, url: URL)

    /// Which mock response is at fault, why, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .failedToEncodeBody(let typeName, let url, let error):
            """
            The body of the mock response of \(url.textForErrors) could not be encoded from \(typeName): \
            \(Self.reason(of: error).withoutFullStop). Correct the value, or set up the encoder for it.
            """
        case .invalidJSONObject(let url):
            """
            The body of the mock response of \(url.textForErrors) is not a JSON object. Use strings, finite numbers, \
            booleans, nil, arrays and dictionaries.
            """
        case .failedToEncodeString(let encoding, let url):
            """
            The body of the mock response of \(url.textForErrors) can't be written as \(encoding). Use UTF-8, or \
            leave out the characters that the encoding lacks.
            """
        }
    }

    // Foundation's text for an `EncodingError` says only that something is wrong with a format.
    private static func reason(of error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return error.localizedDescription }
        return context.debugDescription
    }
}
