import Foundation

/// Bytes of a multipart body from one source.
enum MultipartSection: Sendable {
    case memory(Data)
    case file(URL, length: Int64)

    /// The content of a file, with its present length.
    init(file: URL) throws(TransferError) {
        let (handle, length) = try RegularFile.open(file)
        // Opened to check that it can be read. It's opened again when its turn comes, as there may be many files.
        try? handle.close()
        guard length >= 0 else { throw TransferError(.fileNotFound, url: file) }
        self = .file(file, length: length)
    }

    /// The number of bytes.
    var length: Int64 {
        switch self {
        case .memory(let data): Int64(data.count)
        case .file(_, let length): length
        }
    }

    var file: URL? {
        if case .file(let file, _) = self { file } else { nil }
    }

    /// All bytes, in memory.
    func data() throws -> Data {
        switch self {
        case .memory(let data): return data
        case .file(let file, let length):
            let (handle, _) = try RegularFile.open(file)
            defer { try? handle.close() }
            let data: Data
            do { data = try handle.readToEnd() ?? Data() } catch {
                throw TransferError(.unreadableBody, url: file, underlyingError: error)
            }
            guard data.count == length else { throw MultipartFormError.fileChanged(file) }
            return data
        }
    }

    /// The bytes piece by piece; `nil` for none. A file is read to its end, even if that comes after its length: so the
    /// reader notices that it grows.
    func chunks() throws -> TransferChunks? {
        switch self {
        case .memory(let data): return try TransferBody.data(data).chunks()
        case .file(let file, let length):
            let opened = try RegularFile.openBody(file)
            // Before anything of it is sent.
            guard opened?.length ?? 0 == length else { throw MultipartFormError.fileChanged(file) }
            return opened.map {
                TransferChunks(FileChunks(file: $0.file, url: file, size: TransferBody.chunkSize, length: nil))
            }
        }
    }
}
