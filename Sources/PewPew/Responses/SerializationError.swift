/// A body that can't be decoded.
public enum SerializationError: Error, Sendable {
    /// The body can't be decoded to the requested type; `cause` says why, if known.
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
