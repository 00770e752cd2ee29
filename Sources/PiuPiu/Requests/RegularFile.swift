package import Foundation

/// A file that is no folder, pipe or device.
package enum RegularFile {
    /// Opens a regular file for reading, and returns its length. A folder can't be read, and a pipe would wait for its
    /// writer.
    package static func open(_ url: URL) throws(TransferError) -> (file: FileHandle, length: Int64) {
        // The path of another URL isn't one of this device.
        guard url.isFileURL else { throw TransferError(.fileNotFound, url: url) }
        do {
            let file = url.resolvingSymlinksInPath()
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw TransferError(.fileNotFound, url: url)
            }
            return (try FileHandle(forReadingFrom: file), (attributes[.size] as? NSNumber)?.int64Value ?? -1)
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(.fileNotFound, url: url, underlyingError: error)
        }
    }
}
