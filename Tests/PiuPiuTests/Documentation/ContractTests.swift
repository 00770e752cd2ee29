import Foundation
import Testing

@Suite("The contract's page", .timeLimit(.minutes(10)))
struct ContractTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The files below a folder, those of builds left out.
    private static func files(below folder: String, _ extensions: Set<String>) throws -> [(path: String, text: String)]
    {
        let files = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { extensions.contains($0.pathExtension) }
            .map { ($0.path(), try String(contentsOf: $0, encoding: .utf8)) }
    }

    private static func page() throws -> ContractPage {
        let file = root.appending(path: "Sources/PiuPiu/PiuPiu.docc/Contract.md")
        return ContractPage(text: try String(contentsOf: file, encoding: .utf8))
    }

    /// The comments of a source file, or all of an article, as one text, so that a list of names may span lines.
    private static func comments(in file: (path: String, text: String)) -> String {
        guard file.path.hasSuffix(".swift") else { return file.text.replacing("\n", with: " ") }
        return file.text.split(separator: "\n").compactMap { line in
            line.firstRange(of: "//").map { line[$0.upperBound...].drop { $0 == "/" || $0 == " " } }
        }.joined(separator: " ")
    }

    @Test("Each rule that the sources and the articles name is defined")
    func sources() throws {
        let page = try Self.page(), files = try Self.files(below: "Sources", ["swift", "md"])
        #expect(files.count > 300)
        var mentions = 0
        for file in files where !file.path.hasSuffix("Contract.md") {
            for name in RuleName.mentions(in: Self.comments(in: file)) {
                mentions += 1
                let isDefined = page.defines(name)
                #expect(isDefined, "\(file.path) names the rule \(name), which Contract.md doesn't define")
            }
        }
        #expect(mentions > 80)
    }

    @Test("Each rule that a title names is defined, and each rule has a test in the suites that it names")
    func tests() throws {
        let page = try Self.page(), tests = TestTitles(files: try Self.files(below: "Tests", ["swift"]))
        #expect(tests.titles.count > 1000 && page.rules.count > 80)
        for (file, title) in tests.titles {
            for name in RuleName.list(title.prefix { $0 != ":" }) where title.contains(":") {
                let isDefined = page.defines(name)
                #expect(isDefined, "\(file) names the rule \(name), which Contract.md doesn't define")
            }
        }
        for rule in page.rules { #expect(page.faults(of: rule, tests) == []) }
        let names = page.rules.map(\.name)
        #expect(Set(names).count == names.count && Set(names.map(RuleName.short)).count == names.count)
    }

    @Test("Names are found in titles and in comments, and what only looks like one is not")
    func names() {
        #expect(RuleName.heading("COLD, ONCE and R10 CANCEL: nothing runs") == ["COLD", "ONCE", "R10 CANCEL"])
        #expect(
            RuleName.heading("O3 OFF MAIN: a: b") == ["O3 OFF MAIN"] && RuleName.heading("NEVER-HANG") == ["NEVER-HANG"]
        )
        #expect(RuleName.heading("UP A request is cancelled") == ["UP"] && RuleName.heading("A request: UP") == [])
        #expect(RuleName.list("RFC 9110, 8.8.2.2") == [] && RuleName.list("Joins") == [] && RuleName.list("") == [])
        let text =
            "Nothing runs (contract rules COLD, UP and NEVER-HANG). It stays (MEMO); not (a UTF), (GET), f(SLOT, x)."
        #expect(RuleName.mentions(in: text) == ["COLD", "UP", "NEVER-HANG", "MEMO"])
        #expect(RuleName.mentions(in: "by contract rule SAME: the same") == ["SAME"])
    }

    @Test("A rule without a test is found, and so is a suite that doesn't name it")
    func faults() throws {
        let page = ContractPage(
            text: """
                ### COLD
                Text with `code`.

                Suites: `Life`,
                `Joins`

                ### R1 COUNT
                Suites: `Nowhere`, `Later …`
                ### MEMO
                """)
        #expect(page.rules.map(\.suites) == [["Life", "Joins"], ["Nowhere", "Later …"], []])
        #expect(page.defines("R1") && page.defines("R1 COUNT") && !page.defines("R1 OTHER") && !page.defines("R2"))
        let tests = TestTitles(files: [
            (
                "A.swift",
                "@Suite(\"Life\")\nstruct A {\n    @Test(\n        \"COLD: runs \\\"nothing\\\"\")\n}\n@Suite(\"Joins\")\nactor B {\n"
            ),
            ("A+More.swift", "extension A {\n    @Test(\"R1: more\")\n"),
        ])
        #expect(tests.titles.map(\.title) == ["Life", "COLD: runs ”nothing”", "Joins", "R1: more"])
        #expect(tests.rules == ["Life": ["COLD", "R1"], "Joins": []])
        #expect(
            page.rules.map { page.faults(of: $0, tests) } == [
                ["COLD: no test of the suite \"Joins\" names it"],
                ["R1 COUNT: there is no suite \"Nowhere\"", "R1 COUNT: there is no suite \"Later …\""],
                ["MEMO has no line of suites"],
            ])
    }
}
