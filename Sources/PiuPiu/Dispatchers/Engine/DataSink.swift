package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Collects a response in memory.
///
/// An engine delivers events one at a time, so the lock is never contended; it is there so that this needs no promise
/// of the engine's to be sound.
package struct DataSink: TransferSink {
    package typealias Output = (data: Data?, head: TransferHead, request: URLRequest)

    private struct State {
        var body = Data()
        var head: (head: TransferHead, request: URLRequest)?
    }

    /// A length that a server announces is not believed further than this.
    private static let largestReservation: Int64 = 64 << 20

    private let state = Locked(State())

    package init() {}

    package func receive(_ event: TransferEvent) -> Result<Output, any Error>? {
        switch event {
        case .sent:
            return nil
        case .head(let head, let request):
            // A second head starts the response over.
            state.withLock { $0 = State(head: (head, request)) }
            return nil
        case .body(let chunk):
            append(chunk)
            return nil
        case .measured(let metrics):
            state.withLock { $0.head?.head.metrics = metrics }
            return nil
        case .finished:
            return finish()
        case .failed(let error):
            return .failure(error)
        }
    }

    private func append(_ chunk: Data) {
        state.withLock { state in
            guard state.body.isEmpty else { return state.body.append(chunk) }
            let expected = min(state.head?.head.expectedContentLength ?? 0, Self.largestReservation)
            // A body that comes in one piece is taken as it is.
            guard expected > Int64(chunk.count) else { return state.body = chunk }
            state.body.reserveCapacity(Int(expected))
            state.body.append(chunk)
        }
    }

    private func finish() -> Result<Output, any Error> {
        let (head, body) = state.withLock { state in
            defer { state.body = Data() }
            return (state.head, state.body)
        }
        guard let head else { return .failure(TransferError(.badResponse)) }
        return .success((body.isEmpty ? nil : body, head.head, head.request))
    }
}
