import Foundation

/// The titles in files of tests, and the rules that they name.
struct TestTitles {
    /// All titles, with their files.
    private(set) var titles: [(file: String, title: String)] = []
    /// The names in the titles of each suite, its own included, by the suite's title.
    private(set) var rules: [String: Set<String>] = [:]

    /// - Parameter files: with their paths, as the same type may be in several targets of tests.
    init(files: [(path: String, text: String)]) {
        var suites: [String: String] = [:]
        var named: [String: Set<String>] = [:]
        for file in files {
            let target = file.path.split(separator: "/").dropLast().last { $0.hasSuffix("Tests") } ?? ""
            var type = ""
            var open: (isSuite: Bool, title: String?)?
            for line in file.text.split(separator: "\n") {
                if line.contains("@Suite(") || line.contains("@Test(") { open = (line.contains("@Suite("), nil) }
                if let (isSuite, known) = open, known == nil, let title = Self.literal(in: line) {
                    open?.title = title
                    titles.append((file.path, title))
                    if !isSuite { named[type, default: []].formUnion(RuleName.heading(title)) }
                }
                guard let name = Self.type(declaredIn: line, below: open?.isSuite == true) else { continue }
                type = "\(target)/\(name)"
                guard case (true, let title?)? = open else { continue }
                suites[type] = title
                named[type, default: []].formUnion(RuleName.heading(title))
                open = nil
            }
        }
        for (type, title) in suites { rules[title, default: []].formUnion(named[type] ?? []) }
    }

    /// The text between the first two quotation marks of a line.
    private static func literal(in line: Substring) -> String? {
        let parts = line.replacing("\\\"", with: "”").split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[1]) : nil
    }

    /// The type that a line at the margin, or one below `@Suite`, declares or extends.
    private static func type(declaredIn line: Substring, below isBelowSuite: Bool) -> String? {
        guard isBelowSuite || line.first?.isLetter == true || line.first == "@" else { return nil }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }.map(String.init)
        let keywords: Set = ["struct", "class", "actor", "enum", "extension"]
        guard let place = words.firstIndex(where: keywords.contains), place + 1 < words.count else { return nil }
        return words[place + 1]
    }
}
