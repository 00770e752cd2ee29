/// The field `Accept-Language` of a user's requests (RFC 9110, section 12.5.4).
package enum AcceptLanguage {
    /// The value for languages in the user's order, such as "da-DK,da;q=0.9,en-GB;q=0.8,en;q=0.7"; `nil` for none.
    package static func value(for languages: [String]) -> String? {
        // One decimal ranks ten of them.
        let limit = 10
        var tags: [String] = []
        for language in languages.prefix(limit) {
            // A server may have the language without the region.
            for tag in [language, String(language.prefix { $0 != "-" })] where !tags.contains(tag) { tags.append(tag) }
        }
        guard !tags.isEmpty else { return nil }
        return tags.prefix(limit).enumerated()
            .map { rank, tag in rank == 0 ? tag : "\(tag);q=0.\(limit - rank)" }.joined(separator: ",")
    }
}
