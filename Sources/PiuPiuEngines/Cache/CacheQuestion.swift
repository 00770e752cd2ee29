package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// What a cache has to know about a request.
package struct CacheQuestion: Sendable {
    package let key: CacheKey
    package let method: String
    package let url: URL
    /// The header fields, their names in lower case.
    package let headers: [String: String]
    package let directives: CacheDirectives
    package let policy: URLRequest.CachePolicy
    /// Whether there is a body.
    package let hasBody: Bool

    /// `nil` for a URL whose responses can't be stored.
    ///
    /// - Parameter credentialHeaders: the names of headers with a credential, in lower case.
    package init?(
        _ urlRequest: URLRequest, hasBody: Bool, credentialHeaders: Set<String> = [], partition: CachePartition
    ) {
        guard let url = urlRequest.url, let (uri, user) = CacheKey.parts(of: url) else { return nil }
        self.url = url
        self.hasBody = hasBody
        method = urlRequest.httpMethod ?? "GET"
        var headers: [String: String] = [:]
        for (name, value) in urlRequest.allHTTPHeaderFields ?? [:] { headers[name.lowercased()] = value }
        self.headers = headers
        // A host of the caller's own makes another target of the same URL (RFC 9110, section 7.1).
        let host = headers["host"]?.lowercased()
        let ownHost = host.flatMap { uri.names(host: $0) ? nil : "\nhost \($0)" } ?? ""
        key = CacheKey(
            method: method == "HEAD" ? "HEAD" : "GET", uri: uri,
            partition: partition.text(of: headers, user: user, credentialHeaders) + ownHost)
        policy = urlRequest.cachePolicy
        if let field = headers["cache-control"] {
            directives = CacheDirectives([field])
        } else {
            // Sent by HTTP/1.0 clients (RFC 9111, section 5.4).
            let isReload = CacheDirectives([headers["pragma"] ?? ""]).contains("no-cache")
            directives = CacheDirectives(isReload ? ["no-cache"] : [])
        }
    }

    /// Whether the method is safe (RFC 9110, section 9.2.1).
    package var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// Whether a stored response may be the answer at all.
    package var isAnswerable: Bool { isForWhole && !isConditional }

    /// Whether the request is for a whole representation: neither for a part of it, nor for what a server makes of a
    /// body.
    var isForWhole: Bool { (method == "GET" || method == "HEAD") && !hasBody && !isPartial }

    /// Whether the server must not be asked (RFC 9111, section 5.2.1.7).
    package var isOffline: Bool { Self.isOffline(directives, policy) }

    /// The same of a request whose key isn't needed.
    package static func isOffline(_ urlRequest: URLRequest) -> Bool {
        let field = urlRequest.value(forHTTPHeaderField: "Cache-Control")
        return isOffline(CacheDirectives([field ?? ""]), urlRequest.cachePolicy)
    }

    private static func isOffline(_ directives: CacheDirectives, _ policy: URLRequest.CachePolicy) -> Bool {
        directives.contains("only-if-cached") || policy == .returnCacheDataDontLoad
    }

    /// Whether the request has a range: it is forwarded, and its response isn't stored.
    package var isPartial: Bool { headers["range"] != nil }

    /// Whether the caller validates a response of its own: the request is forwarded unchanged.
    package var isConditional: Bool { Self.conditions.contains { headers[$0] != nil } }

    private static let conditions = [
        "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range",
    ]

    /// Whether a response with these content codings can be the answer: the head still names them, although the body
    /// is decoded.
    package func accepts(codings: [String]) -> Bool {
        guard !codings.isEmpty, let field = headers["accept-encoding"] else { return true }
        let accepted = AcceptedCodings(field)
        return codings.allSatisfy(accepted.contains)
    }

    /// Whether the request selects the responses of a variant by the fields that their `Vary` names (RFC 9111, section
    /// 4.1).
    func selects(_ variant: CacheVariant) -> Bool { variant == CacheVariant(variant.names, of: headers) }
}

extension URLRequest {
    /// Lets no cache of this package answer, unless the server must not be asked.
    package mutating func bypassCaches() {
        // The other policies ask the server anyway, and may say more.
        guard !CacheQuestion.isOffline(self), [.useProtocolCachePolicy, .returnCacheDataElseLoad].contains(cachePolicy)
        else { return }
        cachePolicy = .reloadIgnoringLocalCacheData
    }
}

extension CacheQuestion {
    /// The URI that a header field of a response refers to, if it is of the same origin as the request's.
    package func uri(in head: TransferHead, _ name: String) -> String? {
        guard let text = head.values(for: name).first else { return nil }
        // An empty reference refers to the URI itself.
        guard let target = text.isEmpty ? url : URL(location: text, relativeTo: url)?.absoluteURL,
            target.origin == url.origin
        else { return nil }
        return CacheKey.uri(of: target)
    }

    /// The URIs whose stored responses are invalid after this response (rule INVALIDATE; RFC 9111, section 4.4).
    package func invalidated(by head: TransferHead) -> Set<String> {
        guard !isSafe, let status = head.status, (200..<400).contains(status) else { return [] }
        return Set([key.uri, uri(in: head, "location"), uri(in: head, "content-location")].compactMap(\.self))
    }
}

extension String {
    /// Whether the URI has this host and port.
    fileprivate func names(host: String) -> Bool { hasPrefix("http://\(host)/") || hasPrefix("https://\(host)/") }
}
