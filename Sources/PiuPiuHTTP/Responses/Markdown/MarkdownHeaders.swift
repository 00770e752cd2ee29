/// The headers of a request or a response as a list in Markdown.
enum MarkdownHeaders {
    /// A title, and a line for each header, in the order of the names without regard to case.
    static func lines(_ headers: [String: String], redacting redaction: HeaderRedaction) -> [String] {
        let sorted = headers.map { (order: $0.key.lowercased(), name: $0.key, value: $0.value) }
            .sorted { ($0.order, $0.name) < ($1.order, $1.name) }
        return ["### Headers"]
            + sorted.map { header in
                let value = redaction.value(header.value, ofHeader: header.name)
                return "* \(header.name.escapingControlCharacters): \(value.escapingControlCharacters)"
            }
    }
}
