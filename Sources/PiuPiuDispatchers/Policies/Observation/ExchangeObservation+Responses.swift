#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension ExchangeObservation {
    /// A mock has answered a request.
    ///
    /// - Parameter length: the length of the body, if all of it is there.
    package func report(_ head: TransferHead, received length: Int64?, to urlRequest: URLRequest) {
        beginTransfer()
        count(sent: Int64(urlRequest.httpBody?.count ?? 0), received: length ?? 0)
        report(.head(head))
    }

    /// The exchange has ended with a response, all of which is there.
    ///
    /// - Parameters:
    ///   - length: the length of its body.
    ///   - body: the one that was sent.
    package func end(_ head: TransferHead, received length: () -> Int64, sending body: TransferBody) {
        // Only if no transfer has counted bytes: it takes a slow cast.
        let lengths = transferCount > 0 ? (0, 0) : (body.knownLength, length())
        end(.response(head), lengths: lengths, inWork: true)
    }
}

extension StreamedBody {
    /// The body of an observed response; the exchange ends when it has been read.
    package func observed(by observation: ExchangeObservation, after head: TransferHead) -> StreamedBody {
        let buffer = buffer
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
        return StreamedBody(self, observedBy: observer)
    }
}

extension TransferBody {
    /// The length of data; 0 for a body that would have to be read.
    fileprivate var knownLength: Int64 {
        if case .data(let data) = self { Int64(data.count) } else { 0 }
    }
}
