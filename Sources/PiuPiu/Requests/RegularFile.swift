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

/// A file that is no folder, pipe or device.
package enum RegularFile {
    /// Opens a regular file for reading, and returns its length. A folder can't be read, and a pipe would wait for its
    /// writer. Child processes don't inherit it.
    package static func open(_ url: URL) throws(TransferError) -> (file: FileHandle, length: Int64) {
        // The path of another URL isn't one of this device.
        guard url.isFileURL else { throw TransferError(.fileNotFound, url: url) }
        let descriptor = url.withUnsafeFileSystemRepresentation { path in path.map(openForReading) ?? -1 }
        guard descriptor >= 0 else {
            let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            throw TransferError(.fileNotFound, url: url, underlyingError: error)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Of what was opened: the name may lead elsewhere by now.
        guard let status = FileStatus(file), status.isRegular else { throw TransferError(.fileNotFound, url: url) }
        return (file, status.size)
    }
}

// Outside of the enumeration, whose own function would hide the system's of the same name.
private func openForReading(_ path: UnsafePointer<CChar>) -> Int32 {
    while true {
        // FileHandle's own way leaves O_CLOEXEC out on Linux. Without O_NONBLOCK a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor != -1 || errno != EINTR { return descriptor }
    }
}
