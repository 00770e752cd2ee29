#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// Returns a response with its head, and passes its body on to the reader.
struct StreamSink: TransferSink {
    typealias Output = (body: StreamedBody, head: TransferHead, request: URLRequest)

    private let buffer = StreamBuffer()
    private let hasHead = Locked(false)

    func attach(_ handle: any TransferHandle) {
        buffer.attach(handle)
    }

    func receive(_ event: TransferEvent) -> Result<Output, any Error>? {
        switch event {
        case .sent: return nil
        case .head(let head, let request):
            let isSecond = hasHead.withLock { exchange(&$0, with: true) }
            guard !isSecond else {
                // The caller already has the first head; it can't be replaced.
                let error = TransferError(.badResponse, url: request.url)
                buffer.fail(error)
                return .failure(error)
            }
            return .success((StreamedBody(buffer), head, request))
        case .body(let chunk):
            buffer.append(chunk)
            return nil
        case .measured(let metrics):
            buffer.setMetrics(metrics)
            return nil
        case .finished:
            buffer.finish(nil)
            return .failure(TransferError(.badResponse))
        case .failed(let error):
            buffer.finish(error)
            return .failure(error)
        }
    }
}
