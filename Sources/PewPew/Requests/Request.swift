public import Foundation
public import PiuPiu

/// The method of a request: that of PiuPiu.
public typealias HTTPMethod = PiuPiu.HTTPMethod

/// The parts of a request; a ``ServerProvider`` adds its base URL.
///
/// This module has ``BasicRequest`` and ``MultiPartRequest``.
@preconcurrency
public protocol Request: Sendable {
    /// The method.
    var method: HTTPMethod { get }
    /// The path, which begins with a slash; it replaces that of the base URL.
    var path: String { get }
    /// The items of the query.
    var queryItems: [URLQueryItem] { get }
    /// The headers.
    var headers: [String: String] { get }
    /// The body.
    var httpBody: Data? { get }
}
