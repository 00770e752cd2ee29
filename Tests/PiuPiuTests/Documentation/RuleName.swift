import Foundation

/// How the names of the contract's rules are written: `COLD`, `NEVER-HANG`, `R10 CANCEL`, or `R10` for short.
enum RuleName {
    /// The names in a list that consists of nothing else, such as `COLD, ONCE and R10 CANCEL`; none in any other text.
    static func list(_ text: some StringProtocol) -> [String] {
        let parts = String(text).replacing(" and ", with: ", ").replacing(" to ", with: ", ").split(separator: ", ")
        return parts.allSatisfy(isName) ? parts.map(String.init) : []
    }

    /// The names with which a text begins. A list of them is followed by a colon, or is the whole text.
    static func heading(_ text: String) -> [String] {
        let names = list(text.prefix { $0 != ":" })
        guard names.isEmpty, let word = text.split(separator: " ").first else { return names }
        // The tests of PiuPiu 1.x write `UP A request is cancelled`.
        return list(word.hasSuffix(",") ? word.dropLast() : word)
    }

    /// The names in comments: after the words "contract rule", and alone in parentheses.
    static func mentions(in comments: String) -> [String] {
        let pieces = comments.split(separator: "contract rule").dropFirst().map { piece in
            piece.drop { $0 == "s" || $0 == " " }.prefix { $0.isUppercase || $0.isNumber || "-, and".contains($0) }
        }
        let named = pieces.flatMap { list($0.trimmingSuffix { !$0.isUppercase && !$0.isNumber }) }
        let parenthesised = comments.split(separator: "(").dropFirst().filter { $0.contains(")") }
            .flatMap { list($0.prefix { $0 != ")" }) }
        return named + parenthesised.filter { !abbreviations.contains($0) }
    }

    /// The short form of `R10 CANCEL`, and the name itself where there is none.
    static func short(_ name: String) -> String {
        guard name.contains(where: \.isNumber), let code = name.split(separator: " ").first else { return name }
        return String(code)
    }

    /// What stands alone in parentheses and is no rule.
    private static let abbreviations: Set = [
        "CR", "LF", "GET", "PATCH", "POST", "PUT", "UTC", "URL", "TLS", "HTTP", "JSON",
    ]

    private static func isName(_ text: Substring) -> Bool {
        var words = text.split(separator: " ", omittingEmptySubsequences: false)
        if let first = words.first, let letter = first.first, letter.isASCII, letter.isUppercase,
            (2...3).contains(first.count), first.dropFirst().allSatisfy(\.isNumber)
        {
            words.removeFirst()
            return words.allSatisfy(isCapitals)
        }
        return words.count == 1 && words.allSatisfy(isCapitals)
    }

    private static func isCapitals(_ word: Substring) -> Bool {
        word.count > 1 && word.first != "-" && word.allSatisfy { $0 == "-" || ($0.isASCII && $0.isUppercase) }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, predicate(last) { text.removeLast() }
        return text
    }
}
