/// A body that can't be decoded.
public enum SerializationError: Error, Sendable {
    /// The body isn't what was asked for; `cause` says why, if it is known.
    case failedToDecodeResponseData(cause: (any Error)?)
    /// There is no body, or one of zero bytes.
    case unexpectedEmptyResponse

    /// A key that names the case, for a table of translated texts or a log.
    public var errorKey: String {
        switch self {
        case .failedToDecodeResponseData: "InvalidObject"
        case .unexpectedEmptyResponse: "EmptyResponse"
        }
    }
}
