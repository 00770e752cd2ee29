import Foundation

/// The place of a temporary file, in a folder of its own. The folder is removed with the last reference to this, so
/// that nothing can write the file after that.
final class TemporaryFile: Sendable {
    let url: URL
    private let folder: URL

    init() {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString, isDirectory: true)
        url = folder.appendingPathComponent("body", isDirectory: false)
        // Without the folder the file can't be written either, and that error is reported.
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
