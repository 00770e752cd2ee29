import Foundation

/// A body of chunks, collected before it is sent: in memory while it is small, else in a temporary file.
struct BodySpool: Sendable {
    /// What is collected in memory.
    static let memoryLimit = 8 << 20

    /// What is to be sent.
    let body: TransferBody

    private let file: URL?

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
                let target = try file ?? WritableFile(temporaryNamed: "upload")
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
            try file.close()
            body = .file(file.url)
            self.file = file.url
        } catch {
            file?.discard()
            throw error
        }
    }

    /// Removes the temporary file, if there is one.
    func remove() {
        // What is left of it the system cleans up.
        if let file { try? FileManager.default.removeItem(at: file) }
    }
}
