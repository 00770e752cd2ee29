public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The source of a request: a request itself, a URL, or the text of one.
public protocol URLRequestable {
    /// The request; `nil` if none can be made.
    func urlRequest() -> URLRequest?
}

extension URLRequest: URLRequestable {
    /// The request itself.
    public func urlRequest() -> URLRequest? { self }
}

extension URL: URLRequestable {
    /// A GET request for this URL.
    public func urlRequest() -> URLRequest? { URLRequest(url: self) }
}

extension String: URLRequestable {
    /// A GET request for the URL in this text; `https://` is put before a text without `://`. `nil` if it isn't a URL.
    public func urlRequest() -> URLRequest? {
        URL(string: contains("://") ? self : "https://" + self)?.urlRequest()
    }
}

extension NSString: URLRequestable {
    /// A GET request for the URL in this text: see `String`.
    public func urlRequest() -> URLRequest? { String(describing: self).urlRequest() }
}
