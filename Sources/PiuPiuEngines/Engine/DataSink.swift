package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Collects a response in memory.
///
/// An engine delivers events one at a time, so the lock is never contended. With it the type is sound without that
/// promise.
package struct DataSink: TransferSink {
    package typealias Output = (data: Data?, head: TransferHead, request: URLRequest)

    /// The response that has come.
    @inline(never)
    package static func response(_ output: Output) -> Response<Data?> {
        Response(data: output.data, urlRequest: output.request, head: output.head)
    }

    private struct State {
        var body = Data()
        var head: (head: TransferHead, request: URLRequest)?
    }

    /// How many bytes of an announced length are reserved at most.
    private static let largestReservation: Int64 = 64 << 20

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: how many bytes may come; one more is a failure.
    package init(limit: Int = .max) {
        self.limit = limit
    }

    package func receive(_ event: TransferEvent) -> Result<Output, any Error>? {
        switch event {
        case .sent:
            return nil
        case .head(let head, let request):
            // A second head starts the response over.
            state.withLock { $0 = State(head: (head, request)) }
            return nil
        case .body(let chunk):
            return append(chunk) ? nil : .failure(tooLarge())
        case .measured(let metrics):
            state.withLock { $0.head?.head.metrics = metrics }
            return nil
        case .finished:
            return finish()
        case .failed(let error):
            return .failure(error)
        }
    }

    /// Adds a part of the body; returns whether it fits.
    private func append(_ chunk: Data) -> Bool {
        state.withLock { state in
            guard chunk.count <= limit - state.body.count else { return false }
            guard state.body.isEmpty else {
                state.body.append(chunk)
                return true
            }
            // Checked only once there is a body: the answer to a HEAD announces a body that doesn't come. The length of
            // a coded body isn't that of the decoded one, which is limited.
            if case .bytes(let length)? = state.head?.head.announcedLength, length > Int64(limit) { return false }
            let announced = state.head?.head.expectedContentLength ?? 0
            let expected = min(announced, Self.largestReservation, Int64(limit))
            // A body in one piece isn't copied.
            guard expected > Int64(chunk.count) else {
                state.body = chunk
                return true
            }
            state.body.reserveCapacity(Int(expected))
            state.body.append(chunk)
            return true
        }
    }

    /// Releases the body.
    private func tooLarge() -> TransferError {
        state.withLock { state in
            state.body = Data()
            var error = TransferError(.bodyTooLarge, url: state.head?.request.url)
            error.bodyLimit = limit
            return error
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
