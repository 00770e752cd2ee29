import Foundation

/// The code of a table of `Migration.md`: a file in `Rows`, named as the heading above the table.
///
/// A line `// row: cell`, with the row's first cell as it is written, begins the section of a row; what stands above the
/// first is shared. In a section may stand
/// - `// deprecated: name, name`, the names that the compiler has to warn of, and no others,
/// - `// refused: code`, a line of code that the compiler has to refuse, or `// warned: code`, that it has to warn of in
///   another way than for a deprecated name.
///
/// At the top may stand `// modes: swift5, …`, by default Swift 5 and Swift 6, and `// or-defining: name`, a condition
/// with which the file has to compile too.
struct RowFile: Sendable {
    struct Section: Sendable {
        let cell: String
        /// The lines that belong to it, counted from one.
        var lines: Range<Int>
        var code: [String] = []

        /// The names that the code uses, the misuse included. Comments and texts don't count.
        var names: Set<String> {
            identifiers(in: code.map { RowFile.misuse(in: $0)?.code ?? $0 }.joined(separator: "\n"))
        }

        var deprecatedNames: Set<String> {
            Set(code.flatMap { Directive.values("deprecated", in: $0.trimmingCharacters(in: .whitespaces)) })
        }
    }

    let name: String
    let sections: [Section]
    let modes: [CompilerMode]
    let conditions: [String?]
    private let lines: [String]

    init(name: String, text: String) throws {
        self.name = name
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let modes = try CompilerMode.all(in: text, "modes")
        self.modes = modes.isEmpty ? [.swift5, .swift6] : modes
        conditions = [nil] + Directive.values("or-defining", in: text)
        var sections: [Section] = []
        for (index, line) in lines.enumerated() {
            if line == "// row:" || line.hasPrefix("// row: ") {
                let cell = line.dropFirst("// row:".count).trimmingCharacters(in: .whitespaces)
                sections.append(Section(cell: cell, lines: index + 1..<index + 2))
            } else if var section = sections.popLast() {
                section.code.append(line)
                section.lines = section.lines.lowerBound..<index + 2
                sections.append(section)
            }
        }
        self.sections = sections
    }

    /// The file of a table.
    init(of table: MigrationTable) throws {
        let file = PackageFolders.clientModes.appending(path: "Rows/\(table.name).swift")
        try self.init(name: table.name, text: String(contentsOf: file, encoding: .utf8))
    }

    var source: SourceText { SourceText(name: "\(name).swift", text: lines.joined(separator: "\n")) }

    /// The source with the misuse in its places.
    var sourceWithMisuse: SourceText {
        SourceText(name: "\(name).swift", text: lines.map { Self.misuse(in: $0)?.code ?? $0 }.joined(separator: "\n"))
    }

    /// The lines that the compiler has to refuse, or to warn of.
    func linesOfMisuse(_ kind: Misuse) -> Set<Int> {
        Set(lines.indices.filter { Self.misuse(in: lines[$0])?.kind == kind }.map { $0 + 1 })
    }

    enum Misuse: String, CaseIterable {
        case refused
        case warned
    }

    private static func misuse(in line: String) -> (kind: Misuse, code: String)? {
        let words = line.trimmingCharacters(in: .whitespaces)
        for kind in Misuse.allCases where words.hasPrefix("// \(kind.rawValue): ") {
            return (kind, String(words.dropFirst("// \(kind.rawValue): ".count)))
        }
        return nil
    }
}
