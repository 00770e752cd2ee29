import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A file in the making. Its owner writes it from one thread at a time.
struct WritableFile: Sendable {
    /// Where it is.
    let url: URL

    let handle: FileHandle

    /// Makes a new file of a name that nobody else has, locked until it is closed; see ``Leftovers``.
    ///
    /// - Parameters:
    ///   - kind: what it is for: "part", "upload" or "stream".
    ///   - folder: where it goes; by default the system's folder for temporary files, where nobody else can read it.
    ///   - permissions: those of the file, as far as the process grants them.
    init(temporary kind: String, in folder: URL? = nil, permissions: mode_t? = nil) throws(FileTransferError) {
        let permissions = permissions ?? (folder == nil ? 0o600 : 0o666)
        let folder = folder ?? FileManager.default.temporaryDirectory
        Leftovers.sweep(folder)
        while true {
            let url = folder.appending(path: Leftovers.name(kind), directoryHint: .notDirectory)
            let handle = try FileSystem.open(url, .creating, permissions: permissions)
            // Between the opening and the lock another process may have taken it for a leftover.
            guard FileSystem.lock(handle), FileSystem.isNamed(url, handle) else { continue }
            (self.url, self.handle) = (url, handle)
            return
        }
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

    /// Replaces what the file has with this.
    func overwrite(with data: Data) throws(FileTransferError) {
        try run(.cannotWrite) {
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: data)
            try handle.truncate(atOffset: UInt64(data.count))
        }
    }

    /// The checksum of the first `length` bytes; `nil` if there are fewer.
    func checksum(of length: Int64) throws -> FileChecksum? {
        try FileChecksum(of: handle, length: length)
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
