#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The request of a dispatcher's future, for the future's description.
package final class RequestOrigin: Sendable, CustomStringConvertible {
    private let urlRequest: URLRequest

    package init(_ urlRequest: URLRequest) {
        self.urlRequest = urlRequest
    }

    package var description: String { urlRequest.exchangeText }
}

extension ResponseFuture {
    /// A future of a request, with an operation that reports its progress.
    package convenience init(of urlRequest: URLRequest, operation: @escaping ReportingOperation) {
        self.init(origin: .object(RequestOrigin(urlRequest))) { run, report in
            try await ExchangeObservation.carryOut(urlRequest) {
                try await operation(run, PolicyContext.current.noting(report, of: urlRequest))
            }
        }
    }
}
