import Foundation

extension TransferBody {
    private static let chunkSize = 128 << 10

    /// The body in chunks, for an engine that sends one chunk after the other; `nil` for none.
    ///
    /// ```swift
    /// if let chunks = try request.body.chunks() {
    ///     for try await chunk in chunks { try await connection.write(chunk) }
    /// }
    /// ```
    ///
    /// Call it for each attempt to send the body. The length is that of the data or the file.
    ///
    /// - Throws: ``TransferError`` of the kind ``TransferError/Kind/fileNotFound`` if there is no readable regular
    ///   file. Iterating over the chunks of a file throws ``TransferError/Kind/unreadableBody`` if it can't be read to
    ///   its end.
    public func chunks() throws(TransferError) -> TransferChunks? {
        switch self {
        case .none:
            return nil
        case .data(let data):
            guard !data.isEmpty else { return nil }
            return TransferChunks(DataChunks(data: data, size: Self.chunkSize), length: Int64(data.count))
        case .file(let url):
            let (file, length) = try RegularFile.open(url)
            guard length != 0 else { return nil }
            return TransferChunks(
                FileChunks(file: file, url: url, size: Self.chunkSize), length: length < 0 ? nil : length)
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
private struct FileChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let file: FileHandle
    let url: URL
    let size: Int

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: FileChunks

        func next() async throws -> Data? {
            do {
                return try chunks.file.read(upToCount: chunks.size)
            } catch {
                throw TransferError(.unreadableBody, url: chunks.url, underlyingError: error)
            }
        }
    }
}
