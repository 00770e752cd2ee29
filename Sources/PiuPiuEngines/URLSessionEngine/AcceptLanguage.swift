/// The field `Accept-Language` of a user's requests (RFC 9110, section 12.5.4).
package enum AcceptLanguage {
    /// The value for languages in the user's order, such as "da-DK,da;q=0.9,en-GB;q=0.8,en;q=0.7"; `nil` for none.
    package static func value(for languages: [String]) -> String? {
        // One decimal ranks ten of them.
        let limit = 10
        var tags: [String] = []
        for language in languages.prefix(limit) {
            for tag in forms(of: language) where !tags.contains(tag) { tags.append(tag) }
        }
        guard !tags.isEmpty else { return nil }
        return tags.prefix(limit).enumerated()
            .map { rank, tag in rank == 0 ? tag : "\(tag);q=0.\(limit - rank)" }.joined(separator: ",")
    }

    /// A language, and what a server may have instead: the language without its region. With a script it is that of the
    /// region, or that in this script, as the plain language may be written in another one.
    private static func forms(of language: String) -> [String] {
        let parts = language.split(separator: "-")
        guard parts.count > 1, parts[1].count == 4, parts[1].allSatisfy(\.isLetter) else {
            return [language, String(language.prefix { $0 != "-" })]
        }
        // Two letters or three digits.
        let region = parts.dropFirst(2).prefix(1).filter { 2...3 ~= $0.count }
        return [language] + region.map { "\(parts[0])-\($0)" } + ["\(parts[0])-\(parts[1])"]
    }
}
