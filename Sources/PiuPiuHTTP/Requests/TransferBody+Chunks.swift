import Foundation

extension TransferBody {
    static let chunkSize = 128 << 10

    /// The body in chunks, for an engine that sends one chunk after the other; `nil` for none.
    ///
    /// ```swift
    /// if let chunks = try request.body.chunks() {
    ///     for try await chunk in chunks { try await connection.write(chunk) }
    /// }
    /// ```
    ///
    /// Call it for each attempt to send the body. The length is that of the data or the file, and the chunks are never
    /// longer, even if the file grows meanwhile.
    ///
    /// - Throws: ``TransferError`` of the kind ``TransferError/Kind/fileNotFound`` if there is no readable regular
    ///   file, and ``TransferError/Kind/unreadableBody`` for one that has content but reports no size. Iterating over
    ///   the chunks of a file throws the latter if the file can't be read to its end, or ends before its length.
    public func chunks() throws(TransferError) -> TransferChunks? {
        switch self {
        case .none:
            return nil
        case .data(let data):
            guard !data.isEmpty else { return nil }
            return TransferChunks(DataChunks(data: data, size: Self.chunkSize), length: Int64(data.count))
        case .file(let url):
            guard let (file, length) = try RegularFile.openBody(url) else { return nil }
            let knownLength = length < 0 ? nil : length
            return TransferChunks(
                FileChunks(file: file, url: url, size: Self.chunkSize, length: knownLength), length: knownLength)
        case .chunks(let chunks):
            return chunks
        }
    }
}

/// Data, piece by piece, without a copy.
private struct DataChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = Never

    let data: Data
    let size: Int

    func makeAsyncIterator() -> Iterator { Iterator(rest: data, size: size) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data
        let size: Int

        mutating func next() async -> Data? {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
    }
}

/// The content of an open file, which is read once.
struct FileChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let file: FileHandle
    let url: URL
    let size: Int
    /// The length that is announced; `nil` for all up to the end of the file.
    let length: Int64?

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self, rest: length) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: FileChunks
        /// How many bytes of the length are left.
        var rest: Int64?

        mutating func next() async throws -> Data? {
            // No more than announced, even if the file has grown meanwhile.
            let count = rest.map { Int(Swift.min($0, Int64(chunks.size))) } ?? chunks.size
            guard count > 0 else { return nil }
            let chunk: Data
            do { chunk = try chunks.file.chunk(upToCount: count) ?? Data() } catch {
                throw TransferError(.unreadableBody, url: chunks.url, underlyingError: error)
            }
            guard !chunk.isEmpty else {
                guard rest == nil else { throw TransferError(.unreadableBody, url: chunks.url) }
                return nil
            }
            rest? -= Int64(chunk.count)
            return chunk
        }
    }
}
