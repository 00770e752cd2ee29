public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension URLRequest {
    /// Makes a request with a method.
    ///
    /// ```swift
    /// let request = URLRequest(url: url, method: .delete)
    /// ```
    ///
    /// Everything else is as in `URLRequest(url:)`.
    public init(url: URL, method: HTTPMethod) {
        self.init(url: url)
        // That of a new request; to set a method copies the request, and takes longer than to make it.
        if method != .get { httpMethod = method.rawValue }
    }
}
