import Testing

@Suite("Each row of Migration.md has code, which compiles", .serialized, .timeLimit(.minutes(10)))
struct RowTests {
    private static let deprecation = "DeprecatedDeclaration"

    @Test("Each row has a section, in the order of the table", arguments: try MigrationTable.all())
    func sections(_ table: MigrationTable) throws {
        let cells = try RowFile(of: table).sections.map(\.cell)
        let difference = cells.difference(from: table.rows.map(\.firstCell))
        #expect(difference.map { "\($0)" } == [])
    }

    @Test("Each section uses the names in the code of its row", arguments: try MigrationTable.all())
    func names(_ table: MigrationTable) throws {
        for section in try RowFile(of: table).sections {
            let row = try #require(table.rows.first { $0.firstCell == section.cell }, "\(section.cell)")
            let missing = row.names.subtracting(section.names).sorted()
            #expect(missing == [], "Migration.md:\(row.line): \(section.cell)")
        }
    }

    @Test(
        "The sections compile, and the compiler warns of the names that they call deprecated and of nothing else",
        arguments: try MigrationTable.all())
    func compiles(_ table: MigrationTable) async throws {
        let file = try RowFile(of: table)
        for mode in file.modes {
            var deprecations: [Diagnostic] = []
            for condition in file.conditions {
                let diagnostics = try await Compiler.diagnostics(of: [file.source], mode, defining: condition)
                #expect(diagnostics.filter { !$0.isOf(group: Self.deprecation) } == [], "\(mode.rawValue)")
                deprecations += diagnostics.filter { $0.isOf(group: Self.deprecation) }
            }
            for section in file.sections {
                let names = deprecations.filter { section.lines.contains($0.line) }.compactMap(Self.deprecatedName)
                #expect(
                    Set(names).sorted() == section.deprecatedNames.sorted(), "\(mode.rawValue): \(section.cell)")
            }
        }
    }

    @Test("The compiler refuses what the sections say, or warns of it", arguments: try MigrationTable.all())
    func refused(_ table: MigrationTable) async throws {
        let file = try RowFile(of: table)
        let refused = file.linesOfMisuse(.refused), warned = file.linesOfMisuse(.warned)
        guard !refused.isEmpty || !warned.isEmpty else { return }
        let diagnostics = try await Compiler.diagnostics(
            of: [file.sourceWithMisuse], file.modes.last ?? .swift6, allowing: [Self.deprecation],
            defining: file.conditions.last ?? nil)
        // A name that is misspelt would be refused for the wrong reason.
        let errors = diagnostics.filter { $0.isError && !$0.text.hasPrefix("cannot find") }
        #expect(refused.subtracting(errors.map(\.line)).sorted() == [])
        #expect(warned.subtracting(diagnostics.filter { !$0.isError }.map(\.line)).sorted() == [])
    }

    @Test("The compiler says that the successor of JSONRequest has a Content-Type only with a body")
    func jsonRequest() async throws {
        let text = "import NetworkKit\nlet request = JSONRequest(method: .post, path: \"/posts\")\n"
        let source = SourceText(name: "JSONRequest.swift", text: text)
        let diagnostics = try await Compiler.diagnostics(of: [source], .swift5)
        #expect(diagnostics.map(\.line) == [2] && diagnostics.allSatisfy { $0.isOf(group: Self.deprecation) })
        let advice = "use BasicRequest with setJSONBody, which sets the Content-Type"
        #expect(diagnostics.allSatisfy { $0.text.contains(advice) })
    }

    @Test("There is a table for each of the legacy libraries, and every row is found")
    func tables() throws {
        let tables = try MigrationTable.all()
        #expect(tables.count == 8 && tables.map(\.rows.count).reduce(0, +) > 150)
        let text = "# A *b*\n| x | y |\n|---|---|\n| `do(with:)` | no `Content-Type`, `%2F` |\n| | `T` |\n\n| no |"
        let table = try #require(MigrationTable.tables(in: text).first)
        #expect(table.name == "a-b" && table.rows.map(\.line) == [4, 5])
        #expect(table.rows.map(\.names) == [["do", "with"], []])
    }

    /// The base name of what is deprecated.
    private static func deprecatedName(_ diagnostic: Diagnostic) -> String? {
        diagnostic.text.firstMatch(of: /'([^'(]+)/).map { String($0.output.1) }
    }
}
