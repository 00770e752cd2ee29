import Foundation

/// A body of chunks, collected before it is sent: in memory while it is small, else in a temporary file.
struct BodySpool: Sendable {
    /// What is collected in memory.
    static let memoryLimit = 8 << 20

    /// What is to be sent.
    let body: TransferBody

    private let file: WritableFile?

    /// Collects the chunks.
    ///
    /// - Throws: what the chunks throw, and a ``FileTransferError`` if the temporary file can't be written.
    init(collecting chunks: TransferChunks) async throws {
        var memory = Data()
        var file: WritableFile?
        do {
            for try await chunk in chunks {
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
            // Open, and so locked, until it was sent.
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
