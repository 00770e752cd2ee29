public import Foundation

/// The four kinds of exchange, with their own parameters.
public enum ExchangeKind: Sendable, Hashable {
    /// The response is collected in memory.
    case data
    /// A body is sent that the caller passed with the request.
    case upload
    /// The response is written to a file, and may continue an interrupted download.
    case download(destination: URL, isResumable: Bool)
    /// The response is read while it arrives.
    case stream
}
