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

    package init(_ urlRequest: URLRequest, _ kind: ExchangeKind, start: Date) {
        self.kind = kind
        self.urlRequest = urlRequest
        self.start = start
    }

    /// Whether a request is this one, on its way through policies and to a dispatcher: method and URL tell it from others that
    /// are sent meanwhile, such as that of an adapter for a token.
    func isAsked(by urlRequest: URLRequest) -> Bool { urlRequest.isSameExchange(as: self.urlRequest) }
}
