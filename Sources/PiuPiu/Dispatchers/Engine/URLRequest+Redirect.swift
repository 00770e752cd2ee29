package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension URLRequest {
    /// Headers that describe a body, and go with it.
    private static let bodyHeaders = ["Content-Type", "Content-Encoding", "Content-Language", "Content-Location"]

    /// The request that follows this one when a response with `status` leads to `url`.
    ///
    /// The method changes as browsers do it (RFC 9110, 15.4): 303 makes everything but HEAD a GET, 301 and 302 make a
    /// POST one, 307 and 308 change nothing. Headers that hold secrets are not sent on to another origin, as URLSession on
    /// Linux would do.
    package func redirected(to url: URL, status: Int) -> URLRequest {
        var next = self
        next.url = url
        let method = (httpMethod ?? "GET").uppercased()
        if status == 303 && method != "HEAD" || (status == 301 || status == 302) && method == "POST" {
            next.httpMethod = "GET"
            if httpBody != nil { next.httpBody = nil }
            if httpBodyStream != nil { next.httpBodyStream = nil }
            for name in Self.bodyHeaders { next.setValue(nil, forHTTPHeaderField: name) }
        }
        if url.origin != self.url?.origin {
            for name in (allHTTPHeaderFields ?? [:]).keys where SecretName.isSecret(name) {
                next.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return next
    }
}

extension URL {
    /// Scheme, host and port: what credentials are bound to, and what requests wait in line for.
    package var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host(percentEncoded: true)?.lowercased() ?? ""):\(port)"
    }
}
