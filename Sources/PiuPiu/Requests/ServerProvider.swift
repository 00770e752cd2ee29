public import Foundation

/// Something that knows the server's address, which may change.
@preconcurrency
public protocol ServerProvider: AnyObject, Sendable {
    /// The address that requests are built on, or `nil` while there is none.
    var baseURL: URL? { get }
}
