extension String {
    /// The text in quotes, with its control characters escaped so that it can't forge a line of a log.
    package var quotedForErrors: String { cutForErrors.debugDescription.escapingControlCharacters }

    /// The path in quotes, without a query that may have been written into it, and without secret parameters.
    var quotedPathForErrors: String {
        let (path, query) = self[...].cut(at: "?")
        return (URLText.redacted(String(path), by: .secrets) + (query == nil ? "" : "?…")).quotedForErrors
    }

    /// The first 200 Unicode scalars of the text.
    package var cutForErrors: String {
        guard let end = unicodeScalars.index(startIndex, offsetBy: 200, limitedBy: endIndex), end < endIndex else {
            return self
        }
        return self[..<end] + "…"
    }
}
