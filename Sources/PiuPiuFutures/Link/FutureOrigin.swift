/// Where a future was created: for its description, for the error of a forgotten promise, and to identify its updates.
@usableFromInline
final class FutureOrigin: Sendable, CustomStringConvertible {
    private let file: String
    private let line: UInt

    @usableFromInline
    init(file: String, line: UInt) {
        self.file = file
        self.line = line
    }

    /// What the future fails with if its action forgets it.
    var abandonment: FutureError { .abandoned(file: file, line: line) }

    /// The name of the file without its module, and the line: "PostList.swift:12".
    @usableFromInline
    var description: String {
        let name = file.lastIndex(of: "/").map { file[file.index(after: $0)...] } ?? file[...]
        return "\(name):\(line)"
    }
}
