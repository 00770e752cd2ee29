import Foundation

/// An unnamed temporary file that is written at its end and read from its beginning.
struct SpillFile: Sendable {
    private static let chunkSize = 64 << 10
    private let writer: WritableFile
    private let reader: FileHandle

    init() throws(FileTransferError) {
        let file = try WritableFile(temporary: "stream")
        // The open handles keep the content; it is gone with them, however the process ends.
        defer { try? FileManager.default.removeItem(at: file.url) }
        writer = file
        reader = try FileSystem.open(file.url, .reading)
    }

    func append(_ data: Data) throws(FileTransferError) {
        try writer.write(data)
    }

    /// The next part, or `nil` if there is none yet.
    func read() throws -> Data? {
        let chunk = try reader.chunk(upToCount: Self.chunkSize)
        return chunk?.isEmpty == false ? chunk : nil
    }
}
