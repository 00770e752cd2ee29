import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransferRequest {
    /// How many redirects are followed: as many as browsers and `URLSession` do.
    package static let redirectLimit = 20

    /// The request that follows this one after a response; `nil` if that is no redirect.
    ///
    /// The method changes as in browsers (RFC 9110, section 15.4), a body goes along with its method, and `Authorization` and `Cookie` stay behind when the scheme,
    /// the host or the port changes. A redirect without a location is a response like others.
    ///
    /// - Throws: ``TransferError`` of the kind ``TransferError/Kind/unsupportedURL`` for a location that is no http or
    ///   https URL, and ``TransferError/Kind/unreadableBody`` if chunks would have to be sent again.
    package func redirected(by head: TransferHead) throws(TransferError) -> TransferRequest? {
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
