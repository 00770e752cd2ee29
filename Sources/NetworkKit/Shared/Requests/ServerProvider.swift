public import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Something that knows the server's address, which may change.
@preconcurrency
public protocol ServerProvider: AnyObject, Sendable {
    /// The address that requests are built on.
    var baseURL: URL { get }
}

extension ServerProvider {
    /// The URL of a request: the base URL with the path and the query of the request in place of its own.
    ///
    /// Without query items there is no question mark, and a plus in one is sent as `%2B`.
    ///
    /// - Throws: ``RequestError/invalidURL(cause:)`` if the path doesn't begin with a slash, or no URL can be made.
    public func url(from request: any Request) throws -> URL {
        let baseURL = baseURL
        do {
            guard request.path.isEmpty || request.path.hasPrefix("/") else {
                throw InvalidRequestError.invalidURL(baseURL: baseURL, path: request.path)
            }
            return try request.withoutBase.url(withBaseURL: baseURL)
        } catch {
            throw RequestError.invalidURL(cause: error)
        }
    }

    /// The request as it is sent.
    ///
    /// - Throws: what ``url(from:)`` throws.
    public func urlRequest(from request: any Request) throws -> URLRequest {
        var urlRequest = URLRequest(url: try url(from: request), method: request.method)
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        urlRequest.httpBody = request.httpBody
        return urlRequest
    }
}

extension Request {
    fileprivate var withoutBase: PiuPiu.BasicRequest {
        PiuPiu.BasicRequest(method: method, path: path, queryItems: queryItems)
    }
}
