/// A request that can't be built.
public enum RequestError: Error, Sendable {
    /// The base URL and the request make no URL; `cause` says why.
    case invalidURL(cause: any Error)
    /// The dispatcher's server provider was released.
    case missingServerProvider

    /// A key that names the case, for a table of translated texts or a log.
    public var errorKey: String {
        switch self {
        case .invalidURL: "InvalidURL"
        case .missingServerProvider: "MissingServerProvider"
        }
    }
}
