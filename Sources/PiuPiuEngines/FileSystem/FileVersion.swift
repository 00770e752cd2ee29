package import Foundation

/// The version of a file, to detect changes: its size, and the date of its last change.
package struct FileVersion: Sendable, Equatable {
    private let size: Int64
    private let changed: FileTime

    /// The present version of the file; `nil` if it can't be read.
    package init?(of file: URL) {
        guard let status = FileStatus(following: file) else { return nil }
        (size, changed) = (status.size, status.changed)
    }
}
