import Foundation

/// A file in the making. Its owner writes it from one thread at a time.
struct WritableFile: Sendable {
    /// Where it is.
    let url: URL

    let handle: FileHandle

    /// Makes a new file in the system's folder for temporary ones, which nobody else can read.
    init(temporaryNamed name: String) throws(FileTransferError) {
        let folder = FileManager.default.temporaryDirectory
        url = folder.appending(path: "PiuPiu-\(name)-\(UUID().uuidString)", directoryHint: .notDirectory)
        handle = try FileSystem.open(url, .creating, permissions: 0o600)
    }

    /// Makes a new file, or goes on with one that is there.
    init(_ url: URL, _ opening: FileSystem.Opening) throws(FileTransferError) {
        self.url = url
        handle = try FileSystem.open(url, opening)
    }

    /// Adds bytes where the last ones ended.
    func write(_ data: Data) throws(FileTransferError) {
        try run(.cannotWrite) { try handle.write(contentsOf: data) }
    }

    /// Cuts the file off, and goes on at its end.
    func truncate(to length: Int64) throws(FileTransferError) {
        try run(.cannotWrite) {
            try handle.truncate(atOffset: UInt64(length))
            try handle.seekToEnd()
        }
    }

    /// Has the system write all of it to the disk.
    func synchronize() throws(FileTransferError) {
        try run(.cannotWrite) { try handle.synchronize() }
    }

    /// Closes the file, which stays.
    func close() throws(FileTransferError) {
        try run(.cannotWrite) { try handle.close() }
    }

    /// Removes the file and closes it: in this order, as a lock on it ends with that.
    func discard() {
        // What can't be closed or removed is no use to the caller, who has an error to tell of already.
        try? FileManager.default.removeItem(at: url)
        try? handle.close()
    }

    private func run(_ kind: FileTransferError.Kind, _ body: () throws -> Void) throws(FileTransferError) {
        do { try body() } catch { throw FileTransferError(kind, file: url, underlyingError: error) }
    }
}
