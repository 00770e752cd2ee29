/// The rules of the article `Contract.md`.
struct ContractPage {
    struct Rule {
        /// `COLD`, or `R10 CANCEL`.
        let name: String
        /// The suites that prove it, below its text; a name that ends in … stands for all with that beginning.
        var suites: [String] = []
    }

    let rules: [Rule]

    /// A rule is a heading of the third level, whose suites stand in backticks after the word `Suites:`.
    init(text: String) {
        var rules: [Rule] = []
        var isListing = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("### ") { rules.append(Rule(name: String(line.dropFirst(4)))) }
            isListing = line.hasPrefix("Suites: ") || isListing && !line.isEmpty
            if isListing, !rules.isEmpty {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                rules[rules.count - 1].suites += parts.enumerated().filter { $0.offset % 2 == 1 }.map {
                    String($0.element)
                }
            }
        }
        self.rules = rules
    }

    /// Whether a name, the short form included, is that of a rule.
    func defines(_ name: String) -> Bool {
        rules.contains { $0.name == name || RuleName.short($0.name) == name }
    }

    /// The faults of a rule: no suite, an unknown suite, or one without a test that names the rule.
    ///
    /// Of the suites that a name with … stands for, one has to name the rule.
    func faults(of rule: Rule, _ tests: TestTitles) -> [String] {
        guard !rule.suites.isEmpty else { return ["\(rule.name) has no line of suites"] }
        return rule.suites.compactMap { suite in
            let isOne = !suite.hasSuffix("…"), prefix = suite.prefix { $0 != "…" }
            let suites = tests.rules.filter { isOne ? $0.key == suite : $0.key.hasPrefix(prefix) }
            guard !suites.isEmpty else { return "\(rule.name): there is no suite \"\(suite)\"" }
            let names = suites.values.joined()
            let isNamed = names.contains(rule.name) || names.contains(RuleName.short(rule.name))
            return isNamed ? nil : "\(rule.name): no test of the suite \"\(suite)\" names it"
        }
    }
}
