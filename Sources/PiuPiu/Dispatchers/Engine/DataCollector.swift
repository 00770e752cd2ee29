import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the events of one exchange in memory, counts the bytes and reports updates.
///
/// An engine delivers events one at a time, so the lock is never contended; it is there so that this needs no promise
/// of the engine's to be sound.
struct DataCollector: Sendable {
    private struct State {
        var body = Data()
        var head: (response: URLResponse, request: URLRequest)?
        var progress = TransferProgress()
    }

    /// A length that a server announces is not believed further than this.
    private static let largestReservation: Int64 = 64 << 20

    private let state = Locked(State())
    private let report: @Sendable (TransferUpdate) -> Void

    init(report: @escaping @Sendable (TransferUpdate) -> Void) {
        self.report = report
    }

    /// Reports the start of the exchange.
    func start() {
        report(TransferUpdate(stage: .started))
    }

    /// Takes one event, and returns the outcome if it was the last.
    func receive(_ event: TransferEvent) -> Result<DataTransfer.Output, any Error>? {
        switch event {
        case .sent(let bytes, let expected):
            let progress = state.withLock { state in
                state.progress.bytesSent = bytes
                state.progress.bytesExpectedToSend = expected
                return state.progress
            }
            report(TransferUpdate(stage: .sent, progress: progress))
        case .head(let response, let request):
            if let progress = begin(response, request) {
                report(TransferUpdate(stage: .responded, progress: progress))
            }
        case .body(let chunk):
            report(TransferUpdate(stage: .received, progress: append(chunk)))
        case .finished:
            return finish()
        case .failed(let error):
            return .failure(error)
        }
        return nil
    }

    /// Starts a response over; only the first head of an exchange is an update.
    private func begin(_ response: URLResponse, _ request: URLRequest) -> TransferProgress? {
        let expected = response.expectedContentLength
        return state.withLock { state in
            let isFirst = state.head == nil
            state.head = (response, request)
            state.body = Data()
            state.progress.bytesReceived = 0
            state.progress.bytesExpectedToReceive = expected >= 0 ? expected : nil
            return isFirst ? state.progress : nil
        }
    }

    private func append(_ chunk: Data) -> TransferProgress {
        state.withLock { state in
            state.progress.bytesReceived += Int64(chunk.count)
            if state.body.isEmpty {
                let expected = min(state.progress.bytesExpectedToReceive ?? 0, Self.largestReservation)
                // A body that comes in one piece is taken as it is.
                if expected > Int64(chunk.count) {
                    state.body.reserveCapacity(Int(expected))
                    state.body.append(chunk)
                } else {
                    state.body = chunk
                }
            } else {
                state.body.append(chunk)
            }
            return state.progress
        }
    }

    private func finish() -> Result<DataTransfer.Output, any Error> {
        let (head, body) = state.withLock { state in
            defer { state.body = Data() }
            return (state.head, state.body)
        }
        guard let head else { return .failure(TransferError(.badResponse)) }
        return .success((body.isEmpty ? nil : body, head.response, head.request))
    }
}
