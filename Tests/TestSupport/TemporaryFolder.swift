package import Foundation

/// A folder for one test, removed after it.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "PiuPiuTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package func file(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

    package func file(_ name: String, containing text: String) throws -> URL {
        let file = file(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// All names in the folder, hidden ones included.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted() }
    }
}

extension URL {
    /// The text of the file, or `nil` if there is none.
    package var content: String? { (try? Data(contentsOf: self)).map { String(decoding: $0, as: UTF8.self) } }
}
