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
/// The futures of dispatchers that take a base URL send it, such as
/// ``DataDispatcher/dataFuture(from:at:file:line:)``, and a ``RequestSerializer``.
/// A ``BasicRequest`` is made from parts.
@preconcurrency
public protocol Request: Sendable {
    /// Makes the request to send.
    ///
    /// Called once when a future of it is started, on the thread that calls `send()` or awaits, and by
    /// ``RequestSerializer/urlRequest(from:)`` and ``DataDispatcher/pages(from:at:)`` on the thread that calls them.
    ///
    /// - Parameter baseURL: the server's address: that of the call, of the serializer, or of its ``ServerProvider``.
    /// - Throws: any error, such as an ``InvalidRequestError``; the future fails with it.
    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest
}
