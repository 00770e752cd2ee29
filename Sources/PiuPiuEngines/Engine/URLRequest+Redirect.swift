package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension URLRequest {
    /// Headers that describe a body, and are dropped with it (RFC 9110, section 15.4).
    private static let bodyHeaders = [
        "Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Content-Disposition",
        "Content-Range", "Content-MD5", "Content-Digest", "Repr-Digest", "Digest", "Last-Modified",
    ]

    /// The request that follows this one when a response with `status` redirects to `url`.
    ///
    /// The method changes as in browsers (RFC 9110, 15.4): a 303 changes every method but HEAD to GET, a 301 or 302
    /// changes POST to GET, and a 307 or 308 changes nothing. Without a change the body stays, too. Unlike
    /// `URLSession` on Linux, headers with secrets are not sent to another origin, and neither is a `Host` that the
    /// caller has set (RFC 9110, section 7.2). A URL of the same origin without a user keeps the user and the password
    /// of this one, as an absolute `Location` never has them.
    ///
    /// - Parameter credentialHeaders: the names of headers with a credential, in lower case, which may not be known as
    ///   those of secrets.
    package func redirected(to url: URL, status: Int, credentialHeaders: Set<String> = []) -> URLRequest {
        var next = self
        next.url = url
        let method = (httpMethod ?? "GET").uppercased()
        let becomesGET =
            switch status {
            case 303: method != "HEAD" && method != "GET"
            case 301, 302: method == "POST"
            default: false
            }
        if becomesGET {
            next.httpMethod = "GET"
            if httpBody != nil { next.httpBody = nil }
            if httpBodyStream != nil { next.httpBodyStream = nil }
            for name in Self.bodyHeaders { next.setValue(nil, forHTTPHeaderField: name) }
        }
        if url.origin == self.url?.origin {
            next.url = self.url.map(url.withUserInfo(of:)) ?? url
        } else {
            for name in (allHTTPHeaderFields ?? [:]).keys
            where SecretName.isSecret(name) || name.lowercased() == "host"
                || credentialHeaders.contains(name.lowercased())
            {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return next
    }
}

extension URL {
    /// This URL with the user and the password of another one, unless it has its own.
    fileprivate func withUserInfo(of other: URL) -> URL {
        guard user(percentEncoded: true) == nil, let user = other.user(percentEncoded: true),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.percentEncodedUser = user
        components.percentEncodedPassword = other.password(percentEncoded: true)
        return components.url ?? self
    }

    /// Scheme, host and port: credentials are bound to it, and each has its own line of requests.
    package var origin: String {
        if let plainOrigin { return plainOrigin }
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        var host = host(percentEncoded: true)?.lowercased() ?? ""
        // An international name is percent-encoded if the URL was parsed from it, and in Punycode in all URLs that are
        // made of that one. Decoded, it is in one form.
        if host.utf8.contains(UInt8(ascii: "%")) {
            host = PercentEncoding.encoded((self.host(percentEncoded: false) ?? "").lowercased().utf8) { byte in
                PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:".utf8.contains(byte)
            }
        }
        return "\(scheme)://\(host):\(port)"
    }
}
