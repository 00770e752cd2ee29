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
    /// Opens a regular file for reading, and returns its length. Child processes don't inherit it.
    package static func open(_ url: URL) throws(TransferError) -> (file: FileHandle, length: Int64) {
        // The path of another URL isn't one of this device.
        guard url.isFileURL else { throw TransferError(.fileNotFound, url: url) }
        let file: FileHandle
        do {
            // A pipe would wait for its writer otherwise.
            file = try SystemCall.open(url, O_RDONLY | O_NONBLOCK)
        } catch {
            throw TransferError(.fileNotFound, url: url, underlyingError: error)
        }
        // Of what was opened: the name may lead elsewhere by now.
        guard let status = FileStatus(file), status.isRegular else { throw TransferError(.fileNotFound, url: url) }
        return (file, status.size)
    }

    /// Opens the file of a body; `nil` if it is empty.
    package static func openBody(_ url: URL) throws(TransferError) -> (file: FileHandle, length: Int64)? {
        let (file, length) = try open(url)
        guard length == 0 else { return (file: file, length: length) }
        // Files of the system have a content, but report no size: they would be sent as empty.
        var byte: UInt8 = 0
        guard read(file.fileDescriptor, &byte, 1) == 0 else { throw TransferError(.unreadableBody, url: url) }
        return nil
    }
}
