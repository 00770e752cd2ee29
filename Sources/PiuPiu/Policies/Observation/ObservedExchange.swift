package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// What is the same in all events of an exchange.
package final class ObservedExchange: Sendable {
    let id = ExchangeID.next()
    let kind: ExchangeKind
    let urlRequest: URLRequest
    let start: Date
    private let method: String?
    private let url: URL?

    package init(_ urlRequest: URLRequest, _ kind: ExchangeKind, start: Date) {
        self.kind = kind
        self.urlRequest = urlRequest
        self.start = start
        method = urlRequest.httpMethod
        url = urlRequest.url
    }

    /// Whether a request is this one, on its way through policies and to a dispatcher: method and URL tell it from others that
    /// are sent meanwhile, such as that of an adapter for a token.
    func isAsked(by urlRequest: URLRequest) -> Bool { urlRequest.httpMethod == method && urlRequest.url == url }
}
