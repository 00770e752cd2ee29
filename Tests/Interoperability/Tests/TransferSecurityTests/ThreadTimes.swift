#if os(Linux)
    import Foundation

    /// The processor time of the threads of this process.
    enum ThreadTimes {
        /// That of all threads of this name, in hundredths of a second.
        static func hundredths(of name: String) throws -> Int {
            let folder = URL(filePath: "/proc/self/task", directoryHint: .isDirectory)
            return try FileManager.default.contentsOfDirectory(atPath: folder.path()).reduce(0) { sum, thread in
                // "12 (name) S 1 …": a thread may have ended meanwhile.
                guard let text = try? String(contentsOf: folder.appending(path: "\(thread)/stat"), encoding: .utf8),
                    text.contains("(\(name))"), let end = text.lastIndex(of: ")")
                else { return sum }
                let fields = text[end...].split(separator: " ").dropFirst()
                // Fields 14 and 15 of proc(5), counted from 1; the first of these is the third.
                return sum + fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
            }
        }
    }
#endif
