public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request that becomes a `URLRequest` once a base URL is known.
///
/// ```swift
/// struct PostRequest: Request {
///     let id: Int
///
///     func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
///         URLRequest(url: baseURL.appending(path: "posts/\(id)"), method: .get)
///     }
/// }
/// ```
///
/// A ``RequestSerializer`` sends it. A ``BasicRequest`` is made from parts.
@preconcurrency
public protocol Request: Sendable {
    /// Makes the request to send.
    ///
    /// - Parameter baseURL: the server's address, from a ``ServerProvider``.
    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest
}
