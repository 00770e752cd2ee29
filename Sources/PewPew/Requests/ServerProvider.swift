public import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Gives the server's address, which may change.
@preconcurrency
public protocol ServerProvider: AnyObject, Sendable {
    /// The base of all URLs; read on the main actor.
    @MainActor @preconcurrency
    var baseURL: URL { get }
}

extension ServerProvider {
    /// The URL of a request: the base URL with the request's path and query in place of its own.
    ///
    /// Without query items there is no question mark, and a plus in one is sent as `%2B`.
    ///
    /// - Throws: ``RequestError/invalidURL(cause:)`` if the path doesn't begin with a slash, or no URL can be made.
    @MainActor @preconcurrency
    public func url(from request: any Request) throws -> URL {
        try request.url(withBaseURL: baseURL)
    }

    /// The request as it is sent.
    ///
    /// - Throws: what ``url(from:)`` throws, and PiuPiu's `InvalidRequestError` for a header that can't be sent.
    @MainActor @preconcurrency
    public func urlRequest(from request: any Request) throws -> URLRequest {
        try request.urlRequest(withBaseURL: baseURL)
    }
}

extension Request {
    fileprivate func url(withBaseURL baseURL: URL) throws(RequestError) -> URL {
        do {
            guard path.isEmpty || path.hasPrefix("/") else {
                throw InvalidRequestError.invalidURL(baseURL: baseURL, path: path)
            }
            return try PiuPiu.BasicRequest(method: method, path: path, queryItems: queryItems)
                .url(withBaseURL: baseURL)
        } catch {
            throw .invalidURL(cause: error)
        }
    }

    func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest {
        let url = try url(withBaseURL: baseURL)
        var urlRequest = URLRequest(url: url, method: method)
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            try InvalidRequestError.check(header: name, value, url: url)
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        urlRequest.httpBody = httpBody
        return urlRequest
    }
}
