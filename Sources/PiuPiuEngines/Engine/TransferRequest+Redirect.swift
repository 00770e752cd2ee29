package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension TransferRequest {
    /// How many redirects are followed: as many as in browsers and `URLSession`.
    package static let redirectLimit = 20

    /// The target of a redirect; `nil` if the response is none. Without a location, or with one that is empty or no
    /// URL, it is a response like any other. A location without a fragment inherits it (RFC 9110, section 10.2.2).
    package func location(in head: TransferHead) -> URL? {
        guard let status = head.status, [301, 302, 303, 307, 308].contains(status),
            let location = head.values(for: "Location").first, !location.isEmpty
        else { return nil }
        guard let target = URL(location: location, relativeTo: urlRequest.url)?.absoluteURL else { return nil }
        guard !location.contains("#"), let fragment = urlRequest.url?.fragment(percentEncoded: true) else {
            return target
        }
        return URL(string: "\(target.absoluteString)#\(fragment)") ?? target
    }

    /// This request as it is sent after a redirect.
    ///
    /// - Parameters:
    ///   - next: what is sent.
    ///   - keepsBody: whether the redirect wants the body again. What has become a GET or HEAD has none all the same.
    /// - Throws: ``TransferError`` of the kind ``TransferError/Kind/unsupportedURL`` if `next` has no http or https
    ///   URL, and ``TransferError/Kind/unreadableBody`` if chunks that can be read only once, and weren't collected,
    ///   would have to be sent again; ``InvalidRequestError`` if `next` can't be sent.
    package func redirected(to next: URLRequest, keepsBody: Bool) throws -> TransferRequest {
        guard let scheme = next.url?.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = next.url?.host(percentEncoded: true), !host.isEmpty
        else { throw TransferError(.unsupportedURL, url: next.url ?? urlRequest.url) }
        // An empty body is one, too.
        let hasOwnBody = next.httpBody != nil || next.httpBodyStream != nil
        var redirected = TransferRequest(
            next, body: hasOwnBody ? TransferBody(of: next) : body, expectsLargeResponse: expectsLargeResponse)
        (redirected.redirectPolicy, redirected.isStream) = (redirectPolicy, isStream)
        (redirected.observation, redirected.sentCredential) = (observation, sentCredential)
        redirected.isLaterHop = true
        if !hasOwnBody { redirected.spool = spool }
        (redirected.isOfCredentialRefresh, redirected.copy) = (isOfCredentialRefresh, copy)
        let method = next.httpMethod ?? "GET"
        let hasLostBody = next.httpMethod != urlRequest.httpMethod && ["GET", "HEAD"].contains(method)
        if !hasOwnBody, !keepsBody || hasLostBody { redirected.body = .none }
        if let chunks = redirected.chunks, chunks.rereadFiles == nil, redirected.spool?.isFilled != true {
            throw TransferError(.unreadableBody, url: next.url)
        }
        return try redirected.validated()
    }
}
