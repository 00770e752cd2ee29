import Foundation

/// A download's file before it is whole: beside the destination, as only within a volume a move is atomic.
///
/// A file that can be resumed has a name that follows from its destination's, and a record beside it. The download that
/// writes it holds a lock; a second one to the same place gets a file that can't be resumed.
struct PartialFile: Sendable {
    let destination: URL

    /// The file where there already is one: that of a download that can be resumed.
    private let kept: WritableFile?
    /// The file that has what is needed to go on.
    private let record: WritableFile?

    /// A name longer than this has no room for what would be added to it.
    private static let longestResumableName = 200

    /// Checks the destination, and takes up what an earlier download has left, if the file is to be resumable.
    init(for destination: URL, isResumable: Bool) throws(FileTransferError) {
        guard destination.isFileURL else { throw FileTransferError(.notFileURL, file: destination) }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: destination.path(percentEncoded: false), isDirectory: &isFolder),
            isFolder.boolValue
        {
            throw FileTransferError(.isFolder, file: destination)
        }
        self.destination = destination
        let name = destination.lastPathComponent
        guard isResumable, name.utf8.count <= Self.longestResumableName else {
            (kept, record) = (nil, nil)
            return
        }
        try Self.makeFolder(of: destination)
        Leftovers.sweep(destination.deletingLastPathComponent())
        let file = try WritableFile(Self.neighbour(".\(name).part", of: destination), .keeping)
        // Between the opening and the lock another download may have moved the file to the destination.
        let isOurs = FileSystem.lock(file.handle) && FileSystem.isNamed(file.url, file.handle)
        kept = isOurs ? file : nil
        record = isOurs ? try WritableFile(file.url.appendingPathExtension("json"), .keeping) : nil
    }

    /// Whether it stays for another time when the download fails.
    var isResumable: Bool { kept != nil }

    // MARK: Resuming

    /// What an earlier download of `url` has left, if it is undamaged.
    ///
    /// Of what may be the whole file the last byte is asked for again: a range behind the end has no answer but 416 (RFC
    /// 9110, section 15.5.17), which doesn't say whether the file is still the same.
    ///
    /// Waiting for the disk is not for the threads of tasks: all of the file is read.
    func leftover(of url: URL) -> DownloadResumption? {
        guard let kept, let record, let data = try? record.handle.readToEnd(),
            let left = try? JSONDecoder().decode(DownloadRecord.self, from: data), left.url == url.absoluteString,
            left.length > 0
        else { return nil }
        let length = left.length < left.total ?? 0 ? left.length : left.length - 1
        guard let checksum = try? kept.checksum(of: length) else { return nil }
        var whole = checksum
        if length < left.length { whole.append((try? kept.handle.read(upToCount: 1)) ?? Data()) }
        guard whole.value == left.checksum else { return nil }
        return DownloadResumption(length: length, checksum: checksum, record: left)
    }

    /// Keeps the record, or empties it: without one what is there is worthless.
    ///
    /// It is written in its place: a process that is ended meanwhile leaves no third file, and at worst a record that can't be
    /// read.
    func setRecord(_ new: DownloadRecord?) {
        guard let record else { return }
        // A record that can't be kept costs the next download time, and this one nothing.
        let data = new.flatMap { try? JSONEncoder().encode($0) } ?? Data()
        try? record.overwrite(with: data)
    }

    // MARK: Writing

    /// The file, with `length` bytes of what is there.
    func open(keeping length: Int64) throws(FileTransferError) -> WritableFile {
        if let kept {
            try kept.truncate(to: length)
            return kept
        }
        try Self.makeFolder(of: destination)
        return try WritableFile(temporary: "part", in: destination.deletingLastPathComponent())
    }

    /// Moves the whole file to the destination, all of it on the disk first, unless the task is cancelled before.
    ///
    /// An awaiter doesn't wait for a cancelled download (contract rule PROMPT), and may well begin another one to the same
    /// place: after the cancellation nothing happens to the destination.
    func move(_ file: WritableFile) async throws {
        let isCancelled = Locked(false)
        try await withTaskCancellationHandler {
            try await FileSystem.waiting { Result { try move(file, unless: isCancelled) } }.get()
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        // All of it is on the disk: nothing can be lost by closing it.
        try? file.close()
    }

    private func move(_ file: WritableFile, unless isCancelled: Locked<Bool>) throws {
        do throws(FileTransferError) { try file.synchronize() } catch { throw failure(error) }
        // Under the lock: who cancels waits for so long.
        try isCancelled.withLock { isCancelled in
            guard !isCancelled else { throw CancellationError() }
            // Before the name is free for another download, which has a record of its own.
            record?.discard()
            do throws(FileTransferError) {
                try FileSystem.replace(destination, with: file.url)
            } catch {
                throw failure(error)
            }
        }
    }

    private func failure(_ error: FileTransferError) -> FileTransferError {
        FileTransferError(error.kind, file: destination, underlyingError: error.underlyingError)
    }

    /// Gives up a file that isn't whole; one that can be resumed stays, if there is a record of it.
    func leave(_ file: WritableFile?, isRecorded: Bool) {
        guard isRecorded, let kept else { return discard(file) }
        try? record?.close()
        try? kept.close()
    }

    /// Removes what there is.
    func discard(_ file: WritableFile?) {
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
