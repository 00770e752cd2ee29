import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of an ``AsyncTransferEngine``: an actor, so that its events are delivered one at a time, even if the
/// client sends the body in another task.
package actor AsyncExchange {
    /// Pauses the response's body.
    nonisolated let gate = PauseGate()

    private var onEvent: (@Sendable (TransferEvent) -> Void)?
    private var bytesSent: Int64 = 0
    private var hasHead = false
    /// The error of reading the request's body.
    private var bodyFailure: (any Error)?

    package init(onEvent: @escaping @Sendable (TransferEvent) -> Void) {
        self.onEvent = onEvent
    }

    /// Runs the exchange in the calling task, whose cancellation cancels it.
    package func run<Engine: AsyncTransferEngine>(_ request: TransferRequest, on engine: Engine) async {
        do {
            // A cancelled exchange sends nothing.
            try Task.checkCancellation()
            let chunks = try request.body.chunks()
            guard chunks?.length ?? 0 >= 0 else { throw TransferError(.unreadableBody) }
            let body = chunks.map { TransferChunks(CountedChunks(chunks: $0, exchange: self), length: $0.length) }
            let (head, response) = try await engine.exchange(request, body: body)
            try Task.checkCancellation()
            begin(with: head, answering: request.urlRequest, bodyLength: chunks?.length ?? 0)
            try await deliver(response)
            onEvent.take()?(.finished)
        } catch {
            let failure = failure(error, url: request.urlRequest.url, on: engine)
            onEvent.take()?(.failed(failure))
        }
    }

    private func begin(with head: TransferHead, answering request: URLRequest, bodyLength: Int64) {
        // The client has sent it without reading the chunks.
        if bytesSent == 0, bodyLength > 0 { sent(bodyLength, of: bodyLength) }
        hasHead = true
        onEvent?(.head(head, request: request))
    }

    private func deliver<Chunks: AsyncSequence>(_ chunks: Chunks) async throws where Chunks.Element == Data {
        var iterator = chunks.makeAsyncIterator()
        await gate.pass()
        try Task.checkCancellation()
        while let chunk = try await iterator.next(isolation: self) {
            if !chunk.isEmpty { onEvent?(.body(chunk)) }
            await gate.pass()
            try Task.checkCancellation()
        }
        // A cancelled client may end its sequence without an error.
        try Task.checkCancellation()
    }

    private func failure(_ error: any Error, url: URL?, on engine: some AsyncTransferEngine) -> any Error {
        // Whatever error the client throws then.
        if Task.isCancelled { return CancellationError() }
        switch bodyFailure ?? error {
        case let error as TransferError where error.url == nil:
            return TransferError(error.kind, url: url, underlyingError: error.underlyingError)
        case let error where bodyFailure != nil || error is TransferError:
            return error
        case let error where error is InvalidRequestError || error is CancellationError:
            return error
        case let error:
            return TransferError(engine.kind(of: error, afterHead: hasHead), url: url, underlyingError: error)
        }
    }

    // MARK: The request's body

    /// The client has got `bytes` of the body; also after the head, as it shows that the server still takes it.
    func sent(_ bytes: Int64, of length: Int64?) {
        guard bytes > bytesSent else { return }
        bytesSent = bytes
        onEvent?(.sent(bytes: bytes, expected: length))
    }

    /// The body can't be read to its end.
    func bodyFailed(with error: any Error) {
        // A client that fails cancels the task that sends its body.
        if !(error is CancellationError) { bodyFailure = error }
    }
}

/// Cancels, pauses and resumes an ``AsyncExchange``; it doesn't retain the exchange.
struct AsyncExchangeHandle: TransferHandle {
    let task: Task<Void, Never>
    let gate: PauseGate

    func cancel() { TaskCancellation.cancel(task) }
    func pause() { gate.close() }
    func resume() { gate.open() }
}

/// The chunks of a body; each one is reported to its exchange.
private struct CountedChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let chunks: TransferChunks
    let exchange: AsyncExchange

    func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks.measured.makeAsyncIterator(), length: chunks.length, exchange: exchange)
    }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: TransferChunks.Iterator
        let length: Int64?
        let exchange: AsyncExchange
        var count: Int64 = 0

        mutating func next() async throws -> Data? {
            do {
                guard let next = try await chunks.next() else { return nil }
                count += Int64(next.count)
                await exchange.sent(count, of: length)
                return next
            } catch {
                await exchange.bodyFailed(with: error)
                throw error
            }
        }
    }
}
