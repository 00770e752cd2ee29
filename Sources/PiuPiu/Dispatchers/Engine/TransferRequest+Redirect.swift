import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransferRequest {
    /// How many redirects an engine follows: as many as browsers and `URLSession` do.
    public static let redirectLimit = 20

    /// The request that follows this one after a response; `nil` if that is no redirect.
    ///
    /// ```swift
    /// while let next = try request.redirected(by: head) { … }
    /// ```
    ///
    /// For engines over a client that doesn't follow redirects, or not so: the method changes as in browsers (RFC 9110,
    /// section 15.4), a body goes along with its method, and `Authorization` and `Cookie` stay behind when the scheme,
    /// the host or the port changes. A redirect without a location is a response like others.
    ///
    /// - Throws: ``TransferError`` of the kind ``TransferError/Kind/unsupportedURL`` for a location that is no http or
    ///   https URL, and ``TransferError/Kind/unreadableBody`` if chunks would have to be sent again.
    public func redirected(by head: TransferHead) throws(TransferError) -> TransferRequest? {
        guard let status = head.status, [301, 302, 303, 307, 308].contains(status),
            let location = head.values(for: "Location").first
        else { return nil }
        let target = URL(string: location, relativeTo: urlRequest.url)?.absoluteURL
        guard let next = redirected(to: target, status: status) else {
            throw TransferError(.unsupportedURL, url: target ?? urlRequest.url)
        }
        if case .chunks = next.body { throw TransferError(.unreadableBody, url: target) }
        return next
    }
}
