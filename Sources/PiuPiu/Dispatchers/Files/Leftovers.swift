import Foundation

/// Files in the making that a process has left when it was ended.
///
/// Each is locked as long as somebody writes or reads it, and the system gives the lock up with the process: what has such a
/// name and no lock is nobody's any more.
enum Leftovers {
    /// Folders that this process has looked through: what it makes itself, it removes itself.
    private static let swept = Locked<Set<String>>([])

    /// A name that nobody else has.
    static func name(_ kind: String) -> String { ".PiuPiu-\(UUID().uuidString).\(kind)" }

    /// Removes what was left in a folder, the first time that this process asks for it.
    static func sweep(_ folder: URL) {
        let isNew = swept.withLock { $0.insert(folder.standardizedFileURL.path(percentEncoded: false)).inserted }
        let path = folder.path(percentEncoded: false)
        guard isNew, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
        // A folder may have many other names, and a regular expression takes its time.
        let ours = names.lazy.filter { $0.hasPrefix(".PiuPiu-") }
        for name in ours where name.wholeMatch(of: /\.PiuPiu-[0-9A-F-]{36}\.(part|upload|stream)/) != nil {
            let url = folder.appending(path: name, directoryHint: .notDirectory)
            guard let file = try? FileSystem.open(url, .existing) else { continue }
            if FileSystem.lock(file), FileSystem.isNamed(url, file) { try? FileManager.default.removeItem(at: url) }
            try? file.close()
        }
    }
}
