import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The request of a dispatcher's future, for the future's description.
final class RequestOrigin: Sendable, CustomStringConvertible {
    private let urlRequest: URLRequest

    init(_ urlRequest: URLRequest) {
        self.urlRequest = urlRequest
    }

    var description: String { urlRequest.exchangeText }
}

extension ResponseFuture {
    /// A future of a request, with an operation that reports its progress.
    convenience init(of urlRequest: URLRequest, operation: @escaping ReportingOperation) {
        self.init(origin: .object(RequestOrigin(urlRequest))) { report in
            try await ExchangeObservation.carryOut(urlRequest) { try await operation(report) }
        }
    }
}
