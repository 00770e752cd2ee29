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
    /// Called when a future of a ``RequestSerializer`` is started, on the thread that calls `send()` or awaits.
    ///
    /// - Parameter baseURL: the server's address, from a ``ServerProvider``.
    /// - Throws: any error, such as an ``InvalidRequestError``; the future fails with it.
    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest
}
