public import Foundation

/// What can be wrong with a response before its body is decoded.
///
/// A body that is there but can't be decoded is a ``ResponseDecodingError``, and a status is no error at all (see
/// ``HTTPError``). The cases and keys are those of PiuPiu 1.x.
public enum ResponseError: LocalizableError, Equatable {
    /// The exchange ended without a response.
    case noResponse
    /// The response isn't an `HTTPURLResponse`, as that of a `file:` URL.
    case notHTTPResponse
    /// The response has no body, or one of zero bytes, where one is needed.
    case unexpectedEmptyResponse
    /// The body isn't text in this encoding.
    case failedToDecodeDataToString(encoding: String.Encoding)

    /// A key that names the case, for a table of translated texts or a log: "NoResponse", for example.
    public var errorKey: String {
        switch self {
        case .noResponse: "NoResponse"
        case .notHTTPResponse: "NotHTTPResponse"
        case .unexpectedEmptyResponse: "UnexpectedEmptyResponse"
        case .failedToDecodeDataToString: "FailedToDecodeDataToString"
        }
    }

    /// What happened, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .noResponse:
            "The server sent no response. Check the connection and the address, then send the request again."
        case .notHTTPResponse:
            "The response is not an HTTP response. Use an http or https URL, or keep the plain Response."
        case .unexpectedEmptyResponse:
            "The response has no body. Check its status, or use decodeIfPresent where a body may be missing."
        case .failedToDecodeDataToString(let encoding):
            "The response's body is not \(encoding, as: "encoding") text. Use the encoding that its Content-Type names."
        }
    }
}
