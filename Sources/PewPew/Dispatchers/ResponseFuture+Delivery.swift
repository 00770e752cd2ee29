import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseFuture where T == Response<Data?> {
    /// Sends a request, and settles this future with its outcome, on the main actor.
    func deliver(_ urlRequest: URLRequest, through dispatcher: any DataDispatcher) {
        let exchange = dispatcher.dataFuture(from: urlRequest)
        let isWanted = core.onCancel {
            exchange.cancel()
            return []
        }
        // It may have been cancelled before the main actor had time for it.
        guard isWanted else { return }
        exchange.send { result in
            switch result {
            case .success(let response): self.succeed(with: response)
            case .failure(let error as CancellationError): self.fail(with: error)
            case .failure(let error): self.fail(with: ResponseError.unknown(cause: error.asURLError ?? error))
            }
        }
    }

    private func succeed(with response: PiuPiu.Response<Data?>) {
        guard let httpResponse = response.urlResponse as? HTTPURLResponse else {
            return fail(with: ResponseError.unknown(cause: nil))
        }
        let statusCode = StatusCode(rawValue: httpResponse.statusCode)
        succeed(
            with: Response(
                data: response.data, httpResponse: httpResponse, urlRequest: response.urlRequest,
                statusCode: statusCode, error: statusCode.makeError(cause: nil)))
    }
}

extension Error {
    /// The error of `URLSession` that led to this one.
    fileprivate var asURLError: URLError? { (self as? TransferError)?.urlError }
}
