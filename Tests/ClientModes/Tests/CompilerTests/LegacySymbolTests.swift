import Foundation
import Testing

/// `Migration.md` against the lists of the legacy libraries' public names, in the folder `LegacySymbols`.
@Suite("Migration.md has a row for each legacy name", .timeLimit(.minutes(10)))
struct LegacySymbolTests {
    private static let folder = PackageFolders.clientModes.appending(path: "LegacySymbols")

    @Test(
        "Each legacy public name has a row",
        arguments: [
            ("PiuPiu 1.4 to 1.11", ["What stays as it was", "What the compiler", "What behaves", "PiuPiu 1.4"]),
            ("NetworkKit and PewPew", ["NetworkKit 5.3"]), ("ResultPromises", ["ResultPromises 0.1"]),
        ])
    func rows(library: String, headings: [String]) throws {
        let symbols = try text(of: Self.folder.appending(path: "\(library).txt")).split(whereSeparator: \.isWhitespace)
        let migration = try text(of: PackageFolders.root.appending(path: "Migration.md"))
        let listed = Self.names(inTablesOf: migration, under: headings)
        #expect(symbols.filter { !listed.contains(String($0)) } == [])
        #expect(symbols.count > 10 && listed.count > 10)
    }

    @Test("A name that is missing is noticed, whatever else the row says")
    func missing() {
        let text = "# A b\n| `join({ … })`, then | `seriesJoin` |\n# C\n| `map` |\n"
        #expect(Self.names(inTablesOf: text, under: ["A"]) == ["join", "seriesJoin"])
    }

    private func text(of file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// The names in the code of the tables' rows, below headings that begin with one of these.
    private static func names(inTablesOf text: String, under headings: [String]) -> Set<String> {
        var names: Set<String> = []
        var isInside = false
        for line in text.split(separator: "\n") {
            if let heading = line.wholeMatch(of: /#+ (.+)/)?.output.1 {
                isInside = headings.contains { heading.hasPrefix($0) }
            } else if isInside, line.hasPrefix("|") {
                for code in line.matches(of: /`([^`]+)`/) {
                    names.formUnion(code.output.1.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map { String($0.output) })
                }
            }
        }
        return names
    }
}
