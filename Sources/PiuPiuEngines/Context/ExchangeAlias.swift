#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// A request that a policy has made from another one of the same exchange, with another method or URL: a signature in
/// the query, another host.
///
/// Policies tell an exchange from others by its method and URL. With this, those around such a policy and those inside
/// it have the same exchange.
final class ExchangeAlias: Sendable {
    private let urlRequest: URLRequest
    private let original: URLRequest
    /// That of a policy around this one.
    private let outer: ExchangeAlias?

    init(_ urlRequest: URLRequest, of original: URLRequest, inside outer: ExchangeAlias?) {
        self.urlRequest = urlRequest
        self.original = original
        self.outer = outer
    }

    /// Whether policies have made `urlRequest` from `other`.
    func leads(from urlRequest: URLRequest, to other: URLRequest) -> Bool {
        var (made, next) = (urlRequest, Optional(self))
        while let alias = next {
            if made.hasSameTarget(as: alias.urlRequest) {
                made = alias.original
                if made.hasSameTarget(as: other) { return true }
            }
            next = alias.outer
        }
        return false
    }

    /// The caller's request, which policies have made `urlRequest` from; itself if they have not.
    func outermostOriginal(of urlRequest: URLRequest) -> URLRequest {
        var (made, next) = (urlRequest, Optional(self))
        while let alias = next {
            if made.hasSameTarget(as: alias.urlRequest) { made = alias.original }
            next = alias.outer
        }
        return made
    }
}

extension URLRequest {
    /// Whether both belong to the same exchange, as far as nested policies can tell.
    ///
    /// - Parameter alias: what the policies around this request have left.
    func isSameExchange(as other: URLRequest, by alias: ExchangeAlias?) -> Bool {
        hasSameTarget(as: other) || alias?.leads(from: self, to: other) ?? false
    }

    /// Whether both have the same method and URL.
    package func hasSameTarget(as other: URLRequest) -> Bool { httpMethod == other.httpMethod && url == other.url }
}
