import Dispatch
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

/// The file operations for transfers that Foundation lacks, at least on some platforms.
package enum FileSystem {
    /// How a file is opened.
    package enum Opening: Equatable {
        /// A new file; it fails if there is one already.
        case creating
        /// The file that is there, or a new one, to be read and written.
        case keeping
        /// The file that is there.
        case existing
        /// The same, for reading only.
        case reading

        // A symbolic link may lead anywhere, and a FIFO would keep its opener waiting.
        fileprivate var flags: Int32 {
            switch self {
            case .creating: O_CREAT | O_EXCL
            case .keeping: O_CREAT | O_NOFOLLOW | O_NONBLOCK
            case .existing, .reading: O_NOFOLLOW | O_NONBLOCK
            }
        }
    }

    /// Runs work that waits for the disk, off the threads of tasks.
    package static func waiting<Output: Sendable>(for work: @escaping @Sendable () -> Output) async -> Output {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }

    /// Opens a file, for reading and writing unless `opening` says otherwise. Child processes don't inherit it.
    ///
    /// It fails if what has the name is no file: a symbolic link, a folder, a FIFO or a device. To be written, an
    /// existing file must be ours alone.
    ///
    /// - Parameter permissions: those of a new file, as far as the process grants them.
    package static func open(_ file: URL, _ opening: Opening, permissions: mode_t = 0o666) throws(FileTransferError)
        -> FileHandle
    {
        let flags = (opening == .reading ? O_RDONLY : O_RDWR) | opening.flags, handle: FileHandle
        do {
            handle = try SystemCall.open(file, flags, permissions: permissions)
        } catch {
            throw FileTransferError(.cannotCreate, file: file, underlyingError: error)
        }
        guard isUsable(handle, opening, at: file) else {
            throw FileTransferError(.cannotCreate, file: file, underlyingError: POSIXError(.EEXIST))
        }
        return handle
    }

    /// Whether an open file may be used as it was opened.
    private static func isUsable(_ handle: FileHandle, _ opening: Opening, at file: URL) -> Bool {
        guard let status = FileStatus(handle), status.isRegular else { return false }
        if opening == .creating || opening == .reading { return true }
        // A hard link may be to any file, and the owner of a file may change what is written to it. The owner of the
        // folder could replace it anyway; and some volumes show one owner for all files.
        let folder = file.deletingLastPathComponent()
        return !status.hasOtherNames
            && (status.owner == geteuid() || status.owner == FileStatus(following: folder)?.owner)
    }

    /// Moves a file to another name of the same volume, and replaces an existing file atomically (`rename(2)`).
    package static func replace(_ destination: URL, with file: URL) throws(FileTransferError) {
        let result = SystemCall.path(of: file) { from in
            SystemCall.path(of: destination) { to in rename(from, to) }
        }
        guard result == 0 else {
            throw FileTransferError(.cannotMove, file: destination, underlyingError: SystemCall.lastError)
        }
    }

    /// The outcome of locking a file.
    package enum Locking {
        /// The lock is ours.
        case taken
        /// Another process, or another transfer of this one, holds it.
        case held
        /// The volume has no locks, as some network volumes don't, or has none left.
        case unavailable
    }

    /// Locks an open file until ``unlock(_:)``, or the end of the process.
    package static func lock(_ file: FileHandle) -> Locking {
        guard SystemCall.retrying({ flock(file.fileDescriptor, LOCK_EX | LOCK_NB) }) != 0 else { return .taken }
        return errno == EWOULDBLOCK ? .held : .unavailable
    }

    /// Ends the lock of a file that is about to be closed.
    ///
    /// Closing it isn't enough: the system releases a lock with the last copy of the descriptor, and a process that is
    /// being started elsewhere has one until it executes its program.
    package static func unlock(_ file: FileHandle) {
        _ = SystemCall.retrying { flock(file.fileDescriptor, LOCK_UN) }
    }

    /// Whether an open file still has that name: it may have been moved or removed.
    package static func isNamed(_ name: URL, _ file: FileHandle) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(file.fileDescriptor, &opened) == 0 && SystemCall.path(of: name) { lstat($0, &named) } == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }
}
