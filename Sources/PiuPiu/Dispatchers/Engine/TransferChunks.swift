public import Foundation

/// The chunks of a request's body: any `AsyncSequence` of `Data`, without its type.
///
/// ```swift
/// dispatcher.uploadFuture(from: request, with: .chunks(TransferChunks(camera.frames)))
/// ```
///
/// It is gone through once, in the task of the future. What it throws fails the future.
public struct TransferChunks: AsyncSequence, Sendable {
    /// A part of the body.
    public typealias Element = Data
    /// Whatever the sequence throws.
    public typealias Failure = any Error

    /// The number of bytes in all, where it is known beforehand.
    public let length: Int64?

    /// Where the chunks can be gone through more than once, the files that they are read from; else `nil`.
    package let rereadFiles: [URL]?

    private let begin: @Sendable () -> Iterator

    /// Takes the chunks of a sequence.
    ///
    /// - Parameters:
    ///   - chunks: gives the parts of the body in order; empty ones are passed over.
    ///   - length: the number of bytes in all, where it is known beforehand: an engine that sends the chunks while they
    ///     come announces it to the server.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int64? = nil)
    where Chunks.Element == Data {
        self.init(length: length, rereadFiles: nil) { chunks }
    }

    /// Takes the chunks of sequences that a closure makes: a body that can be sent again, by a ``RetryPolicy`` for instance.
    ///
    /// ```swift
    /// dispatcher.uploadFuture(from: request, with: .chunks(TransferChunks { archive.entries() }))
    /// ```
    ///
    /// - Parameters:
    ///   - length: the number of bytes in all, where it is known beforehand.
    ///   - makeChunks: makes a sequence of the parts of the body, in order, from the first one on; it is called each time
    ///     that the body is sent, in the task of the future.
    public init<Chunks: AsyncSequence & Sendable>(length: Int64? = nil, makeChunks: @escaping @Sendable () -> Chunks)
    where Chunks.Element == Data {
        self.init(length: length, rereadFiles: [], makeChunks: makeChunks)
    }

    /// Chunks that can be gone through again as long as these files are the same, or only once for `nil`.
    package init<Chunks: AsyncSequence & Sendable>(
        length: Int64?, rereadFiles: [URL]?, makeChunks: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data {
        self.length = length
        self.rereadFiles = rereadFiles
        begin = {
            var iterator = makeChunks().makeAsyncIterator()
            return Iterator { try await iterator.next(isolation: #isolation) }
        }
    }

    /// The same chunks; the closure is called when the first of them is asked for.
    package func watched(onPull: @escaping @Sendable () -> Void) -> TransferChunks {
        TransferChunks(self, onPull: onPull)
    }

    private init(_ chunks: TransferChunks, onPull: @escaping @Sendable () -> Void) {
        length = chunks.length
        rereadFiles = chunks.rereadFiles
        begin = {
            // Begun no earlier than that, so that chunks of which none was asked for can still be gone through.
            var iterator: Iterator?
            return Iterator {
                if iterator == nil {
                    onPull()
                    iterator = chunks.makeAsyncIterator()
                }
                return try await iterator?.next()
            }
        }
    }

    /// Begins with the first chunk.
    public func makeAsyncIterator() -> Iterator { begin() }

    /// Gives the chunks one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let advance: () async throws -> Data?

        /// The next chunk, which is never empty, or `nil` at the end.
        public mutating func next() async throws -> Data? {
            while let chunk = try await advance() {
                if !chunk.isEmpty { return chunk }
            }
            return nil
        }
    }
}
