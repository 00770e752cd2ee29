import Foundation

extension TransferChunks {
    /// The same chunks. Iterating over them throws ``TransferError/Kind/unreadableBody`` if they are longer or shorter
    /// than announced: a server would take the rest for another request, or wait for it.
    package var measured: TransferChunks {
        guard let length else { return self }
        return TransferChunks(length: length, rereadFiles: rereadFiles) { MeasuredChunks(chunks: self, length: length) }
    }
}

/// Chunks that must have the announced length.
private struct MeasuredChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let chunks: TransferChunks
    let length: Int64

    func makeAsyncIterator() -> Iterator {
        // Nothing has a negative length, however small it is.
        Iterator(chunks: chunks.makeAsyncIterator(), rest: length < 0 ? -1 : length)
    }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: TransferChunks.Iterator
        /// How many bytes of the length are left; negative once it can't be right.
        var rest: Int64

        mutating func next() async throws -> Data? {
            let chunk = try await chunks.next()
            rest -= Int64(chunk?.count ?? 0)
            guard rest < 0 || chunk == nil && rest > 0 else { return chunk }
            // Chunks may end early in a task that is cancelled, as by a client that fails.
            try Task.checkCancellation()
            throw TransferError(.unreadableBody)
        }
    }
}
