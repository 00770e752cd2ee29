package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The version of a file, to detect changes: its size, and the date of its last change.
package struct FileVersion: Sendable, Equatable {
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// The present version of the file; `nil` if it can't be read.
    package init?(of file: URL) {
        var status = stat()
        let result = file.withUnsafeFileSystemRepresentation { path in path.map { stat($0, &status) } ?? -1 }
        guard result == 0 else { return nil }
        size = Int64(status.st_size)
        seconds = Int64(status.lastChange.tv_sec)
        nanoseconds = Int64(status.lastChange.tv_nsec)
    }
}
