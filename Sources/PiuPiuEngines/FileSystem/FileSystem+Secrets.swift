package import Foundation

extension FileSystem {
    /// Writes a file that only its owner can read, whole or not at all, and never with other permissions. It replaces
    /// an existing one.
    package static func replace(_ file: URL, withSecret data: Data) throws {
        let name = ".PiuPiu-\(UUID().uuidString)"
        let partial = file.deletingLastPathComponent().appending(path: name, directoryHint: .notDirectory)
        let handle = try open(partial, .creating, permissions: 0o600)
        do {
            try handle.write(contentsOf: data)
            try handle.close()
            try replace(file, with: partial)
        } catch {
            // An error of removing doesn't matter: that of writing is thrown.
            try? FileManager.default.removeItem(at: partial)
            throw error
        }
    }
}
