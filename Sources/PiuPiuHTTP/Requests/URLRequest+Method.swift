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
        httpMethod = method.rawValue
    }
}
