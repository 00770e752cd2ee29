public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request in parts: method, path, query items, headers and body. A base URL is added when it is sent.
///
/// ```swift
/// var request = BasicRequest(method: .post, path: "/posts", queryItems: [URLQueryItem(name: "draft", value: "1")])
/// try request.setJSONBody(post)
/// let urlRequest = try request.urlRequest(withBaseURL: baseURL)
/// ```
///
/// The futures of dispatchers that take a base URL send it, such as
/// ``DataDispatcher/dataFuture(from:at:file:line:)``, and a ``RequestSerializer``.
/// ``url(withBaseURL:)`` describes the URL.
public struct BasicRequest: Request, HTTPBodyHolding, Equatable {
    /// Whether the URL keeps the path of the base URL.
    public enum BasePath: Sendable, Hashable, CaseIterable {
        /// The request's path replaces it, as in PiuPiu 1.x: `/posts` on `https://example.com/api` is
        /// `https://example.com/posts`.
        case replaced
        /// The request's path is appended to it: `/posts` on `https://example.com/api` is
        /// `https://example.com/api/posts`.
        case kept
    }

    /// The method.
    public var method: HTTPMethod
    /// The path, with or without a leading slash, percent-encoded or not.
    public var path: String
    /// The items of the query, in order, as plain text. An item without a value is a name alone.
    public var queryItems: [URLQueryItem]
    /// The headers. Use ``setValue(_:forHTTPHeaderField:)`` to change one whatever the case of its name.
    public var headers: [String: String]
    /// The body.
    public var httpBody: Data?
    /// Whether the URL keeps the path of the base URL; ``BasePath/replaced`` by default.
    public var basePath: BasePath
    /// How long the server may be silent, in seconds; `nil` for the default of a `URLRequest`, which is 60.
    ///
    /// It becomes `URLRequest.timeoutInterval`, by whose rules 60 leaves the timeout to the dispatcher.
    public var timeoutInterval: TimeInterval?
    /// How caches are used; `nil` for the default of a `URLRequest`, which is `useProtocolCachePolicy`.
    public var cachePolicy: URLRequest.CachePolicy?

    /// Makes a request without a body.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, with or without a leading slash, percent-encoded or not.
    ///   - queryItems: the items of the query, in order, as plain text.
    ///   - headers: the headers.
    ///   - basePath: whether the URL keeps the path of the base URL.
    public init(
        method: HTTPMethod, path: String, queryItems: [URLQueryItem] = [], headers: [String: String] = [:],
        basePath: BasePath = .replaced
    ) {
        self.method = method
        self.path = path
        self.queryItems = queryItems
        self.headers = headers
        self.basePath = basePath
    }
}
