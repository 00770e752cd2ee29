package import Foundation

#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    package import Musl
#elseif canImport(Android)
    package import Android
#endif

/// An unfinished file. Its owner writes it from one thread at a time.
package struct WritableFile: Sendable {
    /// The location.
    package let url: URL

    package let handle: FileHandle

    /// How many names are tried: each is unique, so one is enough unless others interfere.
    private static let mostNames = 16

    /// Makes a new file with a unique name, locked until it is closed, if the volume has locks; see ``Leftovers``.
    ///
    /// - Parameters:
    ///   - kind: its use: "part", "upload" or "stream".
    ///   - folder: its folder; by default the system's temporary folder, where nobody else can read it.
    ///   - permissions: the permissions of the file, as far as the process grants them.
    package init(temporary kind: String, in folder: URL? = nil, permissions: mode_t? = nil) throws(FileTransferError) {
        let permissions = permissions ?? (folder == nil ? 0o600 : 0o666)
        let folder = folder ?? FileManager.default.temporaryDirectory
        Leftovers.sweep(folder)
        var url = folder
        for _ in 0..<Self.mostNames {
            url = folder.appending(path: Leftovers.name(kind), directoryHint: .notDirectory)
            let file = try WritableFile(url, .creating, permissions: permissions)
            // Between the opening and the lock another process may have locked and removed it as a leftover. Where
            // there are no locks, nobody can.
            if FileSystem.lock(file.handle) != .held, FileSystem.isNamed(file.url, file.handle) {
                self = file
                return
            }
            file.discard()
        }
        throw FileTransferError(.cannotCreate, file: url, underlyingError: POSIXError(.EAGAIN))
    }

    /// Makes a new file, or opens an existing one.
    package init(_ url: URL, _ opening: FileSystem.Opening, permissions: mode_t = 0o666) throws(FileTransferError) {
        self.url = url
        handle = try FileSystem.open(url, opening, permissions: permissions)
    }

    /// Appends bytes after the last ones.
    package func write(_ data: Data) throws(FileTransferError) {
        try run(.cannotWrite) { try handle.write(contentsOf: data) }
    }

    /// Replaces the content of the file.
    package func overwrite(with data: Data) throws(FileTransferError) {
        try run(.cannotWrite) {
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: data)
            try handle.truncate(atOffset: UInt64(data.count))
        }
    }

    /// The checksum of the first `length` bytes; `nil` if there are fewer.
    package func checksum(of length: Int64) throws -> FileChecksum? {
        try FileChecksum(of: handle, length: length)
    }

    /// Truncates the file, and continues at its end.
    package func truncate(to length: Int64) throws(FileTransferError) {
        try run(.cannotWrite) {
            try handle.truncate(atOffset: UInt64(length))
            try handle.seekToEnd()
        }
    }

    /// Takes all permissions but these.
    package func restrict(to permissions: mode_t) throws(FileTransferError) {
        guard let present = FileStatus(handle)?.permissions, present & permissions != present else { return }
        guard fchmod(handle.fileDescriptor, present & permissions) == 0 else {
            throw FileTransferError(.cannotCreate, file: url, underlyingError: SystemCall.lastError)
        }
    }

    /// Makes the system write all of it to the disk.
    package func synchronize() throws(FileTransferError) {
        try run(.cannotWrite) { try handle.synchronize() }
    }

    /// Closes the file and keeps it.
    package func close() throws(FileTransferError) {
        FileSystem.unlock(handle)
        try run(.cannotWrite) { try handle.close() }
    }

    /// Removes the file, then ends its lock and closes it.
    package func discard() {
        remove()
        FileSystem.unlock(handle)
        try? handle.close()
    }

    /// Removes the file, which stays open; not another one that has its name by now.
    package func remove() {
        guard FileSystem.isNamed(url, handle) else { return }
        // An error here doesn't help the caller, who already has an error to report.
        try? FileManager.default.removeItem(at: url)
    }

    private func run(_ kind: FileTransferError.Kind, _ body: () throws -> Void) throws(FileTransferError) {
        do { try body() } catch { throw FileTransferError(kind, file: url, underlyingError: error) }
    }
}
