import Foundation

/// A download's file before it is whole: beside the destination, as only within a volume a move is atomic.
///
/// A file that can be resumed has a name that follows from its destination's, and a record beside it. The download that
/// writes it holds a lock; a second one to the same place gets a file that can't be resumed.
struct PartialFile: Sendable {
    let destination: URL

    /// The file where there already is one: that of a download that can be resumed.
    private let kept: WritableFile?

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
            kept = nil
            return
        }
        try Self.makeFolder(of: destination)
        let file = try WritableFile(Self.neighbour(".\(name).part", of: destination), .keeping)
        // Between the opening and the lock another download may have moved the file to the destination.
        kept = FileSystem.lock(file.handle) && FileSystem.isNamed(file.url, file.handle) ? file : nil
    }

    /// Whether it stays for another time when the download fails.
    var isResumable: Bool { kept != nil }

    // MARK: Resuming

    /// What is needed to ask for the rest of a file.
    struct Record: Codable, Sendable, Equatable {
        /// The URL that it comes from.
        let url: String
        /// The entity tag or the date by which the server tells whether the file is still the same.
        let validator: String
    }

    private var recordURL: URL? { kept.map { $0.url.appendingPathExtension("json") } }

    /// What an earlier download of `url` has left, and how many bytes of it there are.
    func leftover(of url: URL) -> (record: Record, length: Int64)? {
        guard let kept, let recordURL, let data = try? Data(contentsOf: recordURL),
            let record = try? JSONDecoder().decode(Record.self, from: data), record.url == url.absoluteString,
            let length = try? kept.handle.seekToEnd(), length > 0
        else { return nil }
        return (record, Int64(length))
    }

    /// Keeps the record, or removes it: without one what is there is worthless.
    func setRecord(_ record: Record?) {
        guard let recordURL else { return }
        // A record that can't be kept costs the next download time, and this one nothing.
        if let record, let data = try? JSONEncoder().encode(record) {
            try? data.write(to: recordURL, options: .atomic)
        } else {
            try? FileManager.default.removeItem(at: recordURL)
        }
    }

    // MARK: Writing

    /// The file, with `length` bytes of what is there.
    func open(keeping length: Int64) throws(FileTransferError) -> WritableFile {
        if let kept {
            try kept.truncate(to: length)
            return kept
        }
        try Self.makeFolder(of: destination)
        return try WritableFile(Self.neighbour(".\(UUID().uuidString).part", of: destination), .creating)
    }

    /// Moves the whole file to the destination, all of it on the disk first.
    func move(_ file: WritableFile) throws(FileTransferError) {
        do {
            try file.synchronize()
            // Before the name is free for another download, which has a record of its own.
            setRecord(nil)
            try FileSystem.replace(destination, with: file.url)
        } catch {
            discard(file)
            throw FileTransferError(error.kind, file: destination, underlyingError: error.underlyingError)
        }
        // All of it is on the disk: nothing can be lost by closing it.
        try? file.close()
    }

    /// Gives up a file that isn't whole; one that can be resumed stays.
    func leave(_ file: WritableFile?) {
        if kept != nil, let recordURL, FileManager.default.fileExists(atPath: recordURL.path(percentEncoded: false)) {
            try? kept?.close()
        } else {
            discard(file)
        }
    }

    /// Removes what there is.
    func discard(_ file: WritableFile?) {
        setRecord(nil)
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
