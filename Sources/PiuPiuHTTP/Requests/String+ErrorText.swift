extension String {
    /// The text in quotes, with its control characters escaped so that it can't forge a line of a log.
    package var quotedForErrors: String { cutForErrors.debugDescription }

    /// The path in quotes, without a query that may have been written into it.
    var quotedPathForErrors: String {
        guard let query = unicodeScalars.firstIndex(of: "?") else { return quotedForErrors }
        return (String(self[..<query]) + "?…").quotedForErrors
    }

    /// The first 200 characters of the text.
    package var cutForErrors: String { count > 200 ? prefix(200) + "…" : self }
}
