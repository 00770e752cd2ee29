import Foundation

/// The place of a temporary file, which is removed with the last reference to this.
final class TemporaryFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
