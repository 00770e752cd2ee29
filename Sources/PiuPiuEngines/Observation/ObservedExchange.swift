package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The part that all events of an exchange share.
package final class ObservedExchange: Sendable {
    package let id = ExchangeID.next()
    package let kind: ExchangeKind
    package let urlRequest: URLRequest
    package let start: Date

    package init(_ urlRequest: URLRequest, _ kind: ExchangeKind, start: Date) {
        self.kind = kind
        self.urlRequest = urlRequest
        self.start = start
    }
}
