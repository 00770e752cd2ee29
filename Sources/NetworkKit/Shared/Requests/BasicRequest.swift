public import Foundation
public import PiuPiu

/// A request with a body of text or JSON.
///
/// ```swift
/// var request = BasicRequest(method: .post, path: "/posts")
/// try request.setJSONBody(encodable: post)
/// ```
public struct BasicRequest: Request {
    private var request: PiuPiu.BasicRequest

    /// Makes a request without a body.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, with a slash at its beginning.
    ///   - queryItems: the items of the query.
    ///   - headers: the headers.
    public init(
        method: HTTPMethod, path: String, queryItems: [URLQueryItem] = [], headers: [String: String] = [:]
    ) {
        request = PiuPiu.BasicRequest(method: method, path: path, queryItems: queryItems, headers: headers)
    }

    /// The method.
    public var method: HTTPMethod {
        get { request.method }
        set { request.method = newValue }
    }

    /// The path, with a slash at its beginning.
    public var path: String {
        get { request.path }
        set { request.path = newValue }
    }

    /// The items of the query.
    public var queryItems: [URLQueryItem] {
        get { request.queryItems }
        set { request.queryItems = newValue }
    }

    /// The headers.
    public var headers: [String: String] {
        get { request.headers }
        set { request.headers = newValue }
    }

    /// The body.
    public var httpBody: Data? {
        get { request.httpBody }
        set { request.httpBody = newValue }
    }

    /// Sets the Content-Type to `application/json`, unless there is one already, whatever the case of its name.
    public mutating func ensureJSONContentType() {
        request.ensureJSONContentType()
    }
}
