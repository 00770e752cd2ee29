import Foundation
import Testing

/// A table of `Migration.md`.
struct MigrationTable: Sendable, CustomTestStringConvertible {
    struct Row: Sendable {
        /// Where it stands in the document.
        let line: Int
        let cells: [String]

        var firstCell: String { cells.first ?? "" }

        /// The names in the row's code that the code of its section has to use.
        ///
        /// Names of one letter are placeholders, and nobody writes the `init` of a call. Code with a `%` or with a
        /// hyphen inside a word is part of a URL, a header or a date.
        var names: Set<String> {
            let spans = cells.joined(separator: "|").matches(of: /`([^`]+)`/).map(\.output.1)
            let swift = spans.filter { !$0.contains("%") && !$0.contains(/\w-\w/) }
            return Set(swift.flatMap { identifiers(in: String($0)) }.filter { $0.count > 1 && $0 != "init" })
        }
    }

    /// The heading above, in the form of a link: `piupiu-14`.
    let name: String
    var rows: [Row]

    var testDescription: String { name }

    /// All tables of the document.
    static func all() throws -> [MigrationTable] {
        let document = PackageFolders.root.appending(path: "Migration.md")
        return tables(in: try String(contentsOf: document, encoding: .utf8))
    }

    /// The tables with their rows, without the line of headings.
    static func tables(in text: String) -> [MigrationTable] {
        var tables: [MigrationTable] = []
        var heading = ""
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let match = line.wholeMatch(of: /#+ (.+)/) {
                heading = CodeBlock.slug(String(match.1))
            } else if line.hasPrefix("|---") {
                tables.append(MigrationTable(name: heading, rows: []))
                isInside = true
            } else if isInside, line.hasPrefix("|"), !tables.isEmpty {
                let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                let row = Row(line: index + 1, cells: cells.map { $0.trimmingCharacters(in: .whitespaces) })
                tables[tables.count - 1].rows.append(row)
            } else {
                isInside = false
            }
        }
        return tables
    }
}

/// The names and keywords of code without its texts and comments.
func identifiers(in code: String) -> Set<String> {
    let code = code.replacing(/"([^"\\\n]|\\.)*"/, with: "").replacing(/\/\/[^\n]*/, with: "")
    // Not `\b`, which sees no boundary in `a.b`.
    return Set(code.matches(of: /[A-Za-z0-9_]+/).map { String($0.output) }.filter { $0.first?.isNumber == false })
}
