/// A place in the source code.
@usableFromInline
package struct SourcePlace: Sendable {
    @usableFromInline let file: String
    @usableFromInline let line: UInt

    @inlinable
    init(file: String, line: UInt) {
        self.file = file
        self.line = line
    }

    /// What a future that was created here fails with if its promise is forgotten.
    var abandonment: FutureError { .abandoned(file: file, line: line) }

    /// The name of the file without its module, and the line: "PostList.swift:12".
    var description: String {
        let name = file.lastIndex(of: "/").map { file[file.index(after: $0)...] } ?? file[...]
        return "\(name):\(line)"
    }
}
