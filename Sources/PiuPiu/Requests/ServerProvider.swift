public import Foundation

/// Gives the server's address, which may change.
@preconcurrency
public protocol ServerProvider: AnyObject, Sendable {
    /// The base of all URLs, or `nil` while there is none.
    var baseURL: URL? { get }
}
