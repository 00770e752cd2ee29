public import Foundation

/// A request in parts: a method, a path, query items, headers and a body, to which a base URL is added when it is sent.
///
/// ```swift
/// var request = BasicRequest(method: .post, path: "/posts", queryItems: [URLQueryItem(name: "draft", value: "1")])
/// try request.setJSONBody(post)
/// let urlRequest = try request.urlRequest(withBaseURL: baseURL)
/// ```
///
/// A ``RequestSerializer`` sends it to the server of a ``ServerProvider``. How the URL comes about:
/// ``url(withBaseURL:)``.
public struct BasicRequest: Request, HTTPBodyHolding, Equatable {
    /// What becomes of the path of the base URL.
    public enum BasePath: Sendable, Hashable, CaseIterable {
        /// The request's path takes its place, as in PiuPiu 1.x: `/posts` on `https://example.com/api` is
        /// `https://example.com/posts`.
        case replaced
        /// The request's path comes after it: `/posts` on `https://example.com/api` is `https://example.com/api/posts`.
        case kept
    }

    /// The method.
    public var method: HTTPMethod
    /// The path, with or without a slash at its beginning, percent-encoded or not.
    public var path: String
    /// The items of the query, in order, as plain text. An item without a value is a name alone.
    public var queryItems: [URLQueryItem]
    /// The headers. Use ``setValue(_:forHTTPHeaderField:)`` to change one whatever the case of its name.
    public var headers: [String: String]
    /// The body.
    public var httpBody: Data?
    /// What becomes of the path of the base URL: ``BasePath/replaced``, unless set otherwise.
    public var basePath: BasePath

    /// Makes a request without a body.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, with or without a slash at its beginning, percent-encoded or not.
    ///   - queryItems: the items of the query, in order, as plain text.
    ///   - headers: the headers.
    ///   - basePath: what becomes of the path of the base URL.
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
