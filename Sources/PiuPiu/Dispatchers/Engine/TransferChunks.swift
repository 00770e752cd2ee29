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

    private let begin: @Sendable () -> Iterator

    /// Takes the chunks of a sequence.
    ///
    /// - Parameters:
    ///   - chunks: gives the parts of the body in order; empty ones are passed over.
    ///   - length: the number of bytes in all, where it is known beforehand: an engine that sends the chunks while they
    ///     come announces it to the server.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int64? = nil)
    where Chunks.Element == Data {
        self.length = length
        begin = {
            var iterator = chunks.makeAsyncIterator()
            return Iterator { try await iterator.next(isolation: #isolation) }
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
