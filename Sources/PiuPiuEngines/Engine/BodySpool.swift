import Foundation

/// A body of chunks, collected before it is sent: a small one in memory, a larger one in a temporary file.
struct BodySpool: Sendable {
    /// How many bytes are collected in memory.
    static let memoryLimit = 8 << 20

    /// The collected body.
    let body: TransferBody

    private let file: WritableFile?

    /// Collects the chunks.
    ///
    /// - Throws: the error of the chunks, ``TransferError/Kind/unreadableBody`` if they haven't their announced length,
    ///   and a ``FileTransferError`` if the temporary file can't be written.
    init(collecting chunks: TransferChunks) async throws {
        var memory = Data()
        var file: WritableFile?
        do {
            for try await chunk in chunks.measured {
                try Task.checkCancellation()
                memory.append(chunk)
                guard memory.count > Self.memoryLimit else { continue }
                let target = try file ?? WritableFile(temporary: "upload")
                file = target
                try target.write(memory)
                memory.removeAll(keepingCapacity: true)
            }
            guard let file else {
                body = memory.isEmpty ? .none : .data(memory)
                self.file = nil
                return
            }
            try file.write(memory)
            body = .file(file.url)
            // It stays open, and so locked, until it was sent.
            self.file = file
        } catch {
            file?.discard()
            throw error
        }
    }

    /// Removes the temporary file, if there is one.
    func remove() {
        file?.discard()
    }
}
