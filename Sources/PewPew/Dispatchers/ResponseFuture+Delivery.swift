import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseFuture where T == Response<Data?> {
    /// Sends a request for a run of this future, and settles that run with its outcome, on the main actor.
    func deliver(_ urlRequest: URLRequest, through dispatcher: any DataDispatcher, inRun run: Int) {
        // A link of its own: its cancellation gives up one interest in an exchange that others may await, too.
        let exchange = dispatcher.dataFuture(from: urlRequest).relayed()
        let presentRun = core.onCancel(ofRun: run) {
            exchange.cancel()
            return []
        }
        // It may have been cancelled before the main actor had time for it, and another one may have begun.
        guard presentRun != nil else { return }
        // The end of a cancelled request is not that of a later run.
        exchange.send { result in
            switch result {
            case .success(let response): self.core.settle(Self.outcome(of: response), ofRun: run)
            case .failure(let error as CancellationError): self.core.settle(.error(error), ofRun: run)
            case .failure(let error):
                self.core.settle(.error(ResponseError.unknown(cause: error.asURLError ?? error)), ofRun: run)
            }
        }
    }

    private static func outcome(of response: PiuPiu.Response<Data?>) -> RunOutcome<T, Never> {
        guard let httpResponse = response.urlResponse as? HTTPURLResponse else {
            return .error(ResponseError.unknown(cause: nil))
        }
        let statusCode = StatusCode(rawValue: httpResponse.statusCode)
        return .success(
            Response(
                data: response.data, httpResponse: httpResponse, urlRequest: response.urlRequest,
                statusCode: statusCode, error: statusCode.makeError(cause: nil)))
    }
}

extension Error {
    /// The error of `URLSession` that led to this one.
    fileprivate var asURLError: URLError? { (self as? TransferError)?.urlError }
}
