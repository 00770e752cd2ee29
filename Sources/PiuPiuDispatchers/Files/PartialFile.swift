package import Foundation

/// A download's file before it is complete. It is beside the destination, as a move is atomic only within a volume.
///
/// A resumable file has a name made from its destination's, and a record beside it. The download that writes it holds a
/// lock; a second download to the same place gets a file that isn't resumable, and so does any where files can't be
/// locked.
package struct PartialFile: Sendable {
    package let destination: URL

    /// The file of a resumable download.
    private let kept: WritableFile?
    /// The file with the record to resume.
    private let record: WritableFile?
    /// Those of the file that is replaced: what only its owner may read stays so. The owner may write it, as the next
    /// download opens a leftover for that.
    private let permissions: mode_t

    /// A longer name has no room for the additions.
    private static let longestResumableName = 200

    /// Checks the destination, and opens the leftover of an earlier download, if the file is resumable.
    package init(for destination: URL, isResumable: Bool) throws(FileTransferError) {
        guard destination.isFileURL else { throw FileTransferError(.notFileURL, file: destination) }
        let present = FileStatus(following: destination)
        permissions = (present?.permissions ?? 0o666) | 0o600
        if let status = present {
            guard !status.isFolder else { throw FileTransferError(.isFolder, file: destination) }
            // The move would replace a device, a FIFO or a socket by a file.
            guard status.isRegular else {
                throw FileTransferError(.cannotCreate, file: destination, underlyingError: POSIXError(.EEXIST))
            }
        }
        self.destination = destination
        let name = destination.lastPathComponent
        guard isResumable, name.utf8.count <= Self.longestResumableName else {
            (kept, record) = (nil, nil)
            return
        }
        try Self.makeFolder(of: destination)
        Leftovers.sweep(destination.deletingLastPathComponent())
        let url = Self.neighbour(".\(name).part", of: destination)
        let new = try? WritableFile(url, .creating, permissions: permissions)
        let file = if let new { new } else { try WritableFile(url, .keeping, permissions: permissions) }
        let lock = FileSystem.lock(file.handle)
        if lock == .unavailable { new?.discard() }
        // Between the opening and the lock another download may have moved the file to the destination.
        let isOurs = lock == .taken && FileSystem.isNamed(file.url, file.handle)
        kept = isOurs ? file : nil
        do throws(FileTransferError) {
            record = isOurs ? try WritableFile(file.url.appendingPathExtension("json"), .keeping) : nil
        } catch {
            // Without a record it is no leftover, and nothing would ever remove it.
            new?.discard()
            throw error
        }
    }

    /// Whether the file stays for a later download when this one fails.
    package var isResumable: Bool { kept != nil }

    // MARK: Resuming

    /// The undamaged leftover of an earlier download of `url`.
    ///
    /// If it may be the whole file, the last byte is requested again: the answer to a range behind the end is 416 (RFC
    /// 9110, section 15.5.17), which doesn't show whether the file is still the same.
    ///
    /// It reads the whole file, so don't call it on a thread of tasks.
    package func leftover(of url: URL) -> DownloadResumption? {
        guard let kept, let record, let data = try? record.handle.readToEnd(),
            let left = try? JSONDecoder().decode(DownloadRecord.self, from: data), left.isRecord(of: url),
            left.length > 0
        else { return nil }
        let length = left.length < left.total ?? 0 ? left.length : left.length - 1
        guard let checksum = try? kept.checksum(of: length) else { return nil }
        var whole = checksum
        if length < left.length { whole.append((try? kept.handle.chunk(upToCount: 1)) ?? Data()) }
        guard whole.value == left.checksum else { return nil }
        return DownloadResumption(length: length, checksum: checksum, record: left)
    }

    /// Writes the record, or empties it: without one the leftover is worthless.
    ///
    /// It is overwritten in place: a process that ends meanwhile leaves no third file, and at worst an unreadable
    /// record.
    package func setRecord(_ new: DownloadRecord?) {
        guard let record else { return }
        // A record that can't be written only costs the next download time.
        let data = new.flatMap { try? JSONEncoder().encode($0) } ?? Data()
        // A move that failed has removed it.
        let isThere = FileSystem.isNamed(record.url, record.handle)
        try? (isThere ? record : WritableFile(record.url, .keeping)).overwrite(with: data)
    }

    // MARK: Writing

    /// The file, with the first `length` bytes of the leftover.
    func open(keeping length: Int64) throws(FileTransferError) -> WritableFile {
        if kept == nil { try Self.makeFolder(of: destination) }
        do throws(FileTransferError) {
            guard let kept else {
                return try WritableFile(
                    temporary: "part", in: destination.deletingLastPathComponent(), permissions: permissions)
            }
            try kept.truncate(to: length)
            return kept
        } catch {
            throw failure(error)
        }
    }

    /// Writes the complete file to the disk, then moves it to the destination, unless the task is cancelled before.
    ///
    /// An awaiter doesn't wait for a cancelled download (contract rule PROMPT), and may begin another one to the same
    /// place. So nothing happens to the destination after the cancellation.
    ///
    /// - Parameter placeholder: the only file that may be replaced there; `nil` for any.
    package func move(_ file: WritableFile, replacing placeholder: WritableFile? = nil) async throws {
        let isCancelled = Locked(false)
        try await withTaskCancellationHandler {
            try await FileSystem.waiting { Result { try move(file, replacing: placeholder, unless: isCancelled) } }
                .get()
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        // All of it is on the disk, so an error of closing loses nothing.
        try? record?.close()
        try? file.close()
    }

    private func move(
        _ file: WritableFile, replacing placeholder: WritableFile?, unless isCancelled: Locked<Bool>
    ) throws {
        do throws(FileTransferError) { try file.synchronize() } catch { throw failure(error) }
        // Under the lock, so that a cancellation waits for the end of the move.
        try isCancelled.withLock { isCancelled in
            guard !isCancelled else { throw CancellationError() }
            // If it was removed, another download may have made a file of this name, which isn't complete.
            guard FileSystem.isNamed(file.url, file.handle) else {
                throw FileTransferError(.cannotMove, file: destination, underlyingError: POSIXError(.ENOENT))
            }
            if let placeholder, !FileSystem.isNamed(destination, placeholder.handle) {
                throw FileTransferError(.cannotMove, file: destination, underlyingError: POSIXError(.EEXIST))
            }
            // Before the name is free for another download, which has its own record.
            record?.remove()
            do throws(FileTransferError) {
                try FileSystem.replace(destination, with: file.url)
            } catch {
                throw failure(error)
            }
        }
        if kept == nil { removeLeftover() }
    }

    /// Removes what an earlier resumable download to the same place has left, unless a running one is writing it.
    private func removeLeftover() {
        let url = Self.neighbour(".\(destination.lastPathComponent).part", of: destination)
        // Without a record beside it, it isn't a leftover.
        guard let record = try? WritableFile(url.appendingPathExtension("json"), .existing),
            let file = try? WritableFile(url, .existing), FileSystem.lock(file.handle) == .taken
        else { return }
        // Another download that opens them meanwhile finds out when it has the lock.
        if FileSystem.isNamed(url, file.handle) {
            record.discard()
            file.discard()
        } else {
            FileSystem.unlock(file.handle)
        }
    }

    private func failure(_ error: FileTransferError) -> FileTransferError {
        FileTransferError(error.kind, file: destination, underlyingError: error.underlyingError)
    }

    /// Takes permissions from a file that was made for another destination: it gets no more than it would have got here.
    func restrict(_ file: WritableFile) throws(FileTransferError) {
        do throws(FileTransferError) { try file.restrict(to: permissions) } catch { throw failure(error) }
    }

    /// Abandons an incomplete file; a resumable one stays, if it has a record.
    package func leave(_ file: WritableFile?, isRecorded: Bool) {
        guard isRecorded, let kept else { return discard(file) }
        try? record?.close()
        try? kept.close()
    }

    /// Removes the file and its record.
    package func discard(_ file: WritableFile?) {
        record?.discard()
        (file ?? kept)?.discard()
    }

    // MARK: -

    private static func neighbour(_ name: String, of destination: URL) -> URL {
        destination.deletingLastPathComponent().appending(path: name, directoryHint: .notDirectory)
    }

    private static func makeFolder(of destination: URL) throws(FileTransferError) {
        do {
            try FileManager.default.createDirectory(
                at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw FileTransferError(.cannotCreate, file: destination, underlyingError: error)
        }
    }
}
