package import Foundation

extension FileSystem {
    /// Puts a file that only its owner can read in the place of one that may be there: whole or not at all, and at no time
    /// with other permissions.
    package static func replace(_ file: URL, withSecret data: Data) throws {
        let name = ".PiuPiu-\(UUID().uuidString)"
        let partial = file.deletingLastPathComponent().appending(path: name, directoryHint: .notDirectory)
        let handle = try open(partial, .creating, permissions: 0o600)
        do {
            try handle.write(contentsOf: data)
            try handle.close()
            try replace(file, with: partial)
        } catch {
            // The error that counts is that of writing.
            try? FileManager.default.removeItem(at: partial)
            throw error
        }
    }
}
