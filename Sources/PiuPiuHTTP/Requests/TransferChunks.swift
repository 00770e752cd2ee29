public import Foundation

/// The chunks of a request's body: any `AsyncSequence` of `Data`, without its type.
///
/// ```swift
/// dispatcher.uploadFuture(from: request, with: .chunks(TransferChunks(camera.frames)))
/// ```
///
/// It is iterated off the main actor, in a task with the priority and the task-local values of the one that starts the
/// request (contract rule INHERIT); once, unless a closure makes the chunks. An error that it throws fails the future.
public struct TransferChunks: AsyncSequence, Sendable {
    /// A part of the body.
    public typealias Element = Data
    /// The error of the sequence.
    public typealias Failure = any Error

    /// The total number of bytes, if known beforehand.
    public let length: Int64?

    /// The files of chunks that can be iterated more than once; `nil` for chunks that can't.
    package let rereadFiles: [URL]?

    private let begin: @Sendable () -> Iterator

    /// Makes chunks from a sequence.
    ///
    /// - Parameters:
    ///   - chunks: the parts of the body in order; empty ones are skipped. What is `TransferChunks` already keeps its
    ///     length, and can be sent again if it could.
    ///   - length: the total number of bytes, if known beforehand. An engine that sends the chunks as they come
    ///     announces it to the server. If they have another one, the future fails with
    ///     ``TransferError/Kind/unreadableBody``.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int64? = nil)
    where Chunks.Element == Data {
        let same = chunks as? TransferChunks
        self.init(length: length ?? same?.length, rereadFiles: same?.rereadFiles) { chunks }
    }

    /// Makes chunks that can be sent again, for example by a ``RetryPolicy`` or after a redirect that keeps the method:
    /// a closure makes the sequence each time.
    ///
    /// ```swift
    /// dispatcher.uploadFuture(from: request, with: .chunks(TransferChunks { archive.entries() }))
    /// ```
    ///
    /// - Parameters:
    ///   - length: the total number of bytes, if known beforehand, as above.
    ///   - makeChunks: makes a sequence of all parts of the body, in order. It is called each time that the body is
    ///     sent, in the task that iterates over it.
    public init<Chunks: AsyncSequence & Sendable>(length: Int64? = nil, makeChunks: @escaping @Sendable () -> Chunks)
    where Chunks.Element == Data {
        self.init(length: length, rereadFiles: [], makeChunks: makeChunks)
    }

    /// Chunks that can be iterated again as long as these files stay the same; for `nil` only once.
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

    /// The same chunks, watched.
    ///
    /// - Parameters:
    ///   - onPull: is called on the first request for one.
    ///   - onFailure: is called when they throw an error, but not in a task that is cancelled: then their reader has
    ///     failed first.
    package func watched(
        onPull: @escaping @Sendable () -> Void = {}, onFailure: @escaping @Sendable () -> Void
    ) -> TransferChunks {
        TransferChunks(self, onPull, onFailure)
    }

    private init(
        _ chunks: TransferChunks, _ onPull: @escaping @Sendable () -> Void, _ onFailure: @escaping @Sendable () -> Void
    ) {
        length = chunks.length
        rereadFiles = chunks.rereadFiles
        begin = {
            // Not begun earlier, so that chunks that nobody has asked for can still be iterated.
            var iterator: Iterator?
            return Iterator {
                if iterator == nil {
                    onPull()
                    iterator = chunks.makeAsyncIterator()
                }
                do { return try await iterator?.next() } catch {
                    if !Task.isCancelled { onFailure() }
                    throw error
                }
            }
        }
    }

    /// Begins with the first chunk.
    public func makeAsyncIterator() -> Iterator { begin() }

    /// Returns the chunks one by one.
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
