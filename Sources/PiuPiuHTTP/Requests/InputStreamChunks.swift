import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The chunks of a `URLRequest`'s body stream, which can be read only once.
struct InputStreamChunks: AsyncSequence, Sendable {
    let request: URLRequest

    func makeAsyncIterator() -> Iterator { Iterator(reader: InputStreamReader(request)) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: InputStreamReader

        func next() async throws -> Data? { try await reader.next() }
    }
}

/// Reads the stream, on a queue of its own: a read waits as long as the stream, a pipe for example, has no bytes.
private actor InputStreamReader {
    private static let chunkSize = 64 << 10

    private nonisolated let executor = QueueExecutor(label: "PiuPiu.body")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    // An `InputStream` is not `Sendable`; the request that carries it is.
    private let request: URLRequest
    private var buffer: [UInt8] = []
    private var progress = Progress.unopened

    private enum Progress { case unopened, open, over }

    init(_ request: URLRequest) {
        self.request = request
    }

    deinit {
        if progress == .open { request.httpBodyStream?.close() }
    }

    /// The next chunk; `nil` at the end. A cancellation counts before and after a read, which can't be interrupted.
    func next() throws -> Data? {
        guard let stream = request.httpBodyStream, progress != .over else { return nil }
        do {
            try Task.checkCancellation()
            if progress == .unopened {
                stream.open()
                progress = .open
                buffer = [UInt8](repeating: 0, count: Self.chunkSize)
            }
            let count = stream.read(&buffer, maxLength: buffer.count)
            try Task.checkCancellation()
            // Asking for the stream's own error traps on Linux.
            guard count >= 0 else { throw TransferError(.unreadableBody, url: request.url) }
            if count == 0 { end(stream) }
            return count == 0 ? nil : Data(buffer.prefix(count))
        } catch {
            end(stream)
            throw error
        }
    }

    private func end(_ stream: InputStream) {
        if progress == .open { stream.close() }
        (progress, buffer) = (.over, [])
    }
}
