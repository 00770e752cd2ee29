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

/// The metadata of a file (`lstat(2)`), thirty times faster than with Foundation: that matters for a folder of ten
/// thousand files.
struct FileStatus: Sendable {
    let isRegular: Bool
    let isFolder: Bool
    let size: Int64
    /// The modification time of the contents, in nanoseconds since 1970.
    let changed: Int64

    /// The status of a path, without following a symbolic link; `nil` if there is nothing.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The status of an open file.
    init?(_ file: FileHandle) {
        var status = stat()
        guard fstat(file.fileDescriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        size = Int64(status.st_size)
        let time = status.lastChange
        changed = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
