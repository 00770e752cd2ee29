public import Foundation
public import PiuPiu

/// A request with a body of text or JSON.
///
/// ```swift
/// var request = BasicRequest(method: .post, path: "/posts")
/// try request.setJSONBody(encodable: post)
/// ```
public struct BasicRequest: Request {
    /// The method.
    public var method: HTTPMethod
    /// The path, which begins with a slash.
    public var path: String
    /// The items of the query.
    public var queryItems: [URLQueryItem]
    /// The headers.
    public var headers: [String: String]
    /// The body.
    public var httpBody: Data?

    /// Makes a request without a body.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, which begins with a slash.
    ///   - queryItems: the items of the query.
    ///   - headers: the headers.
    public init(
        method: HTTPMethod, path: String, queryItems: [URLQueryItem] = [], headers: [String: String] = [:]
    ) {
        self.method = method
        self.path = path
        self.queryItems = queryItems
        self.headers = headers
    }

    /// Sets the Content-Type to `application/json`, unless there is one already, whatever the case of its name.
    public mutating func ensureJSONContentType() {
        var request = PiuPiu.BasicRequest(method: method, path: path, headers: headers)
        request.ensureJSONContentType()
        headers = request.headers
    }
}
