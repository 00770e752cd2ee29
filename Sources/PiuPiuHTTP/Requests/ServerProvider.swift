public import Foundation

/// Gives the server's address, which may change.
@preconcurrency
public protocol ServerProvider: AnyObject, Sendable {
    /// The base of all URLs, or `nil` while there is none.
    ///
    /// A ``RequestSerializer`` reads it once for each future, when that is started, on the thread that calls `send()`
    /// or awaits, so any thread must be able to read it. With `nil` the future fails with ``RequestError/missingURL``.
    var baseURL: URL? { get }
}
