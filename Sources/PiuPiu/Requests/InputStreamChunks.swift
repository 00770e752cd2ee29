import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The chunks of a `URLRequest`'s body stream, which can be read only once.
struct InputStreamChunks: AsyncSequence, Sendable {
    // An `InputStream` is not `Sendable`; the request that carries it is.
    let request: URLRequest

    func makeAsyncIterator() -> Iterator { Iterator(stream: request.httpBodyStream, url: request.url) }

    struct Iterator: AsyncIteratorProtocol {
        private static let chunkSize = 64 << 10
        let stream: InputStream?
        let url: URL?
        private var isOpen = false

        init(stream: InputStream?, url: URL?) {
            self.stream = stream
            self.url = url
        }

        mutating func next() async throws -> Data? {
            guard let stream else { return nil }
            if !isOpen {
                stream.open()
                isOpen = true
            }
            var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count > 0 { return Data(buffer.prefix(count)) }
            stream.close()
            // Asking for the stream's own error traps on Linux.
            if count < 0 { throw TransferError(.unreadableBody, url: url) }
            return nil
        }
    }
}
