#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A redirect: a request, and the response that led elsewhere.
public struct TransferRedirect: Sendable {
    /// The request that was redirected.
    public let urlRequest: URLRequest

    /// The response that redirects, with its status and its fields.
    public let head: TransferHead

    /// The measurements of this hop, if its response was read to the end.
    public package(set) var metrics: TransferMetrics?

    /// Makes a redirect, for the test of a ``RedirectPolicy``.
    public init(urlRequest: URLRequest, head: TransferHead) {
        self.urlRequest = urlRequest
        self.head = head
    }

    /// The status: 301, 302, 303, 307 or 308.
    public var status: Int { head.status ?? 0 }
}
