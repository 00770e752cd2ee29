import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ExchangeObservation {
    /// A mock has answered a request.
    func report(_ response: Response<Data?>, to urlRequest: URLRequest) {
        beginTransfer()
        count(sent: Int64(urlRequest.httpBody?.count ?? 0), received: Int64(response.data?.count ?? 0))
        report(.head(response.head))
    }

    /// The exchange has ended with a response, all of which is there.
    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    func end<Content>(_ response: Response<Content>, to body: TransferBody) {
        // Only if no transfer has counted bytes: such a cast is slow.
        let lengths =
            transferCount > 0 ? (0, 0) : (body.knownLength, Int64((response.data as? Data)?.count ?? 0))
        end(.response(response.head), lengths: lengths, inWork: true)
    }
}

extension Response {
    /// The response of a stream; the exchange ends when its body has been read.
    func observed(by observation: ExchangeObservation) -> Response {
        let head = head
        guard let body = data as? StreamedBody else { return self }
        let buffer = body.buffer
        let observer = StreamObserver(limit: 0) { ending in
            switch ending {
            case .read:
                var head = head
                head.metrics = buffer.metrics
                observation.end(.response(head))
            case .dropped: observation.end(.cancelled)
            case .failed(let error, _): observation.end(with: error)
            }
        }
        return (StreamedBody(body, observedBy: observer) as? Body).map { Response(response: self, data: $0) } ?? self
    }
}

extension TransferBody {
    /// The length of data; 0 for a body that would have to be read.
    fileprivate var knownLength: Int64 {
        if case .data(let data) = self { Int64(data.count) } else { 0 }
    }
}
