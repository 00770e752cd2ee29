package import Foundation

/// Unfinished files that a process has left behind when it ended.
///
/// Each file is locked while it is written or read, and the system releases the lock with the process. So a file with
/// such a name and no lock has no owner any more. Where files can't be locked, nothing is removed.
package enum Leftovers {
    /// The last folders that this process has swept: it removes its own files itself, and sweeping again does no harm.
    private static let swept = Locked(LinkedLine<String>())
    /// How many folders are remembered: an app may make a new one for each file.
    private static let sweptLimit = 256

    /// A unique name.
    package static func name(_ kind: String) -> String { ".PiuPiu-\(UUID().uuidString).\(kind)" }

    /// Removes the leftovers in a folder, unless this process has done so lately.
    package static func sweep(_ folder: URL) {
        let path = folder.path(percentEncoded: false), name = folder.standardizedFileURL.path(percentEncoded: false)
        let isNew = swept.withLock { swept in
            let isKnown = swept.remove(name)
            swept.append(name)
            if swept.count > sweptLimit { _ = swept.popFirst() }
            return !isKnown
        }
        guard isNew else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            // Perhaps there is no descriptor now.
            return swept.withLock { _ = $0.remove(name) }
        }
        // A folder may have many other names, and a regular expression is slow.
        let ours = names.lazy.filter { $0.hasPrefix(".PiuPiu-") }
        for name in ours where name.wholeMatch(of: /\.PiuPiu-[0-9A-F-]{36}\.(part|upload|stream)/) != nil {
            let url = folder.appending(path: name, directoryHint: .notDirectory)
            guard let file = try? FileSystem.open(url, .existing) else { continue }
            if FileSystem.lock(file) == .taken, FileSystem.isNamed(url, file) {
                try? FileManager.default.removeItem(at: url)
            }
            try? file.close()
        }
    }
}
