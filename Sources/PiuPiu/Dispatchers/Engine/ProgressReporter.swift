import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Counts the bytes of one exchange, and reports each step (contract rule UPDATES).
///
/// `URLSessionTask` on Linux doesn't count those of a data task.
struct ProgressReporter: Sendable {
    private struct State {
        var progress = TransferProgress()
        var hasHead = false
    }

    private let state = Locked(State())
    private let report: @Sendable (TransferUpdate) -> Void

    init(_ report: @escaping @Sendable (TransferUpdate) -> Void) {
        self.report = report
    }

    /// Reports the start of the exchange.
    func start() {
        report(TransferUpdate(stage: .started))
    }

    /// Reports an event that is a step.
    ///
    /// - Parameter bytesBefore: the number of bytes that were there before the exchange.
    func receive(_ event: TransferEvent, bytesBefore: Int64) {
        switch event {
        case .sent(let bytes, let expected):
            let progress = state.withLock { state in
                state.progress.bytesSent = bytes
                state.progress.bytesExpectedToSend = expected
                return state.progress
            }
            report(TransferUpdate(stage: .sent, progress: progress))
        case .head(let response, _):
            if let progress = begin(expected: response.expectedContentLength, bytesBefore: bytesBefore) {
                report(TransferUpdate(stage: .responded, progress: progress))
            }
        case .body(let chunk):
            let progress = state.withLock { state in
                state.progress.bytesReceived += Int64(chunk.count)
                return state.progress
            }
            report(TransferUpdate(stage: .received, progress: progress))
        case .finished, .failed:
            break
        }
    }

    /// Starts the response over; only the first head of an exchange is a step.
    private func begin(expected: Int64, bytesBefore: Int64) -> TransferProgress? {
        state.withLock { state in
            defer { state.hasHead = true }
            state.progress.bytesReceived = bytesBefore
            state.progress.bytesExpectedToReceive = expected >= 0 ? bytesBefore + expected : nil
            return state.hasHead ? nil : state.progress
        }
    }
}
