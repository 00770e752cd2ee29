public import Foundation
public import PiuPiu

/// The method of a request: that of PiuPiu.
public typealias HTTPMethod = PiuPiu.HTTPMethod

/// A request in parts, to which a ``ServerProvider`` adds its base URL.
///
/// ``BasicRequest`` and ``MultiPartRequest`` are those of this module.
@preconcurrency
public protocol Request: Sendable {
    /// The method.
    var method: HTTPMethod { get }
    /// The path, with a slash at its beginning; it replaces that of the base URL.
    var path: String { get }
    /// The items of the query.
    var queryItems: [URLQueryItem] { get }
    /// The headers.
    var headers: [String: String] { get }
    /// The body.
    var httpBody: Data? { get }
}
