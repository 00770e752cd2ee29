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

/// What the system knows of a file without reading it (`lstat(2)`): Foundation takes thirty times as long, which a folder of ten
/// thousand makes felt.
struct FileStatus: Sendable {
    let isRegular: Bool
    let isFolder: Bool
    let size: Int64
    /// When what it holds was last changed, in nanoseconds since 1970.
    let changed: Int64

    /// That of a path, not of what a symbolic link leads to; `nil` if there is nothing.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// That of an open file.
    init?(_ file: FileHandle) {
        var status = stat()
        guard fstat(file.fileDescriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        changed = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
