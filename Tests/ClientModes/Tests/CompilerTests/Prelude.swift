import Foundation

/// What stands around a block of code so that it can be compiled: a file in `Preludes/DOCUMENT`, named as the block or
/// as its heading.
///
/// The line `// snippet` is the place of the block. At the top may stand:
/// - `// with: name, …`, the blocks that this one continues, of the same document, or as `DOCUMENT/name` of another. They
///   are compiled beside it.
/// - `// modes: swift5, …`, the modes in which it must compile: by default Swift 5, and Swift 6 with both kinds of default
///   isolation.
/// - `// nonisolated: name, …`, its models and helpers that must be `nonisolated` where everything is on the main actor by
///   default, as the article "Callbacks and actors" says. In that mode the word is put before them.
struct Prelude: Sendable {
    let companions: [String]
    let modes: [CompilerMode]
    let nonisolatedNames: [String]
    private let lines: [String]

    init(text: String) throws {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        companions = Directive.values("with", in: text)
        let modes = try CompilerMode.all(in: text, "modes")
        self.modes = modes.isEmpty ? [.swift5, .swift6, .swift6MainActor] : modes
        nonisolatedNames = Directive.values("nonisolated", in: text)
        guard lines.contains(where: Self.isPlace) else { throw Missing.placeOfSnippet }
    }

    /// The prelude of a block.
    init(of block: CodeBlock) throws {
        let folder = PackageFolders.clientModes.appending(path: "Preludes/\(block.document)")
        let files = [block.name, block.heading].map { folder.appending(path: "\($0).swift") }
        guard let file = files.first(where: { FileManager.default.fileExists(atPath: $0.path()) }) else {
            throw Missing.prelude(files.map { $0.path() })
        }
        try self.init(text: String(contentsOf: file, encoding: .utf8))
    }

    /// The source of a block as its user writes it in a mode. Its diagnostics name the lines of the document.
    func source(of block: CodeBlock, in mode: CompilerMode) -> SourceText {
        let code =
            ["#sourceLocation(file: \"\(block.document).md\", line: \(block.line))"]
            + (mode == .swift6MainActor ? block.code.map(makingNonisolated) : block.code) + ["#sourceLocation()"]
        return SourceText(
            name: "\(block.name).swift",
            text: lines.flatMap { Self.isPlace($0) ? code : [$0] }.joined(separator: "\n"))
    }

    private func makingNonisolated(_ line: String) -> String {
        guard let declaration = line.prefixMatch(of: /(struct|func|let) ([A-Za-z]+)/),
            nonisolatedNames.contains(String(declaration.2))
        else { return line }
        return "nonisolated \(line)"
    }

    private static func isPlace(_ line: String) -> Bool {
        line.trimmingCharacters(in: .whitespaces) == "// snippet"
    }

    enum Missing: Error {
        case placeOfSnippet
        /// None of these files exists.
        case prelude([String])
    }
}
