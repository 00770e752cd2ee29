import Foundation

extension StreamedBody {
    /// The body byte by byte; it ends and throws like ``StreamedBody``.
    ///
    /// A cancelled task still gets the rest of the chunk that it is reading, and then the `CancellationError`; so does
    /// a reader whose scope was cancelled. A check for each byte would take longer than the byte. A long loop can check
    /// `Task.isCancelled` itself.
    public var bytes: StreamedBytes { StreamedBytes(body: self) }
}

/// The bytes of a response's body, while it arrives.
public struct StreamedBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8
    /// The errors of ``StreamedBody``.
    public typealias Failure = any Error

    let body: StreamedBody

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator()) }

    /// Returns the bytes one by one.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: StreamedBody.Iterator
        private var chunk = Data()
        private var index = 0

        init(chunks: StreamedBody.Iterator) {
            self.chunks = chunks
        }

        /// The next byte, or `nil` at the end.
        public mutating func next() async throws -> UInt8? {
            if index == chunk.endIndex {
                guard let next = try await chunks.next() else { return nil }
                chunk = next
                index = chunk.startIndex
            }
            defer { index += 1 }
            return chunk[index]
        }
    }
}

@available(*, unavailable)
extension StreamedBytes.Iterator: Sendable {}
