/// Secrets in the text of a body: servers repeat parts of a request that they refuse.
package enum SecretText {
    /// The text without secrets: the values of JSON members and form items with secret names, bearer tokens and the
    /// like.
    ///
    /// The code of an error stays. The text may be cut, and needn't be JSON.
    package static func redacted(_ text: String) -> String {
        // By Unicode's rules a colon between letters is part of a word.
        let credentials = #/(?i)\b(bearer|basic)\s+[a-z0-9._~+\/=\-]{16,}/#.wordBoundaryKind(.simple)
        // First, because a value without quotation marks ends at a space: only the scheme would be redacted.
        let text = text.replacing(credentials) { match in "\(match.1) <redacted>" }
        let members = SecretMembers.redacted(
            Array(text.utf8), keepsTypes: false, showsErrorCodes: true, where: SecretName.isSecret)
        return redactingItems(String(decoding: members, as: UTF8.self))
    }

    /// The text without the values of items such as `password=secret`. One pass, as the text comes from a server.
    private static func redactingItems(_ text: String) -> String {
        let scalars = text.unicodeScalars
        var result = ""
        var (copied, nameStart, position) = (scalars.startIndex, scalars.startIndex, scalars.startIndex)
        while position < scalars.endIndex {
            let scalar = scalars[position]
            let next = scalars.index(after: position)
            if scalar == "=", nameStart < position, SecretName.isSecret(text[nameStart..<position]) {
                let end = endOfValue(in: scalars[next...])
                if next < end {
                    result += text[copied..<next] + "<redacted>"
                    copied = end
                }
                (position, nameStart) = (end, end)
                continue
            }
            if scalar == "=" || endsName(scalar) { nameStart = next }
            position = next
        }
        return result + text[copied...]
    }

    /// The end of the value that starts here. The backslash before a quotation mark belongs to the mark: without it the text
    /// would mean something else.
    private static func endOfValue(in scalars: Substring.UnicodeScalarView) -> String.Index {
        guard let end = scalars.firstIndex(where: endsValue) else { return scalars.endIndex }
        guard scalars[end] == "\"" || scalars[end] == "'" else { return end }
        let afterLast = scalars[..<end].lastIndex { $0 != "\\" }.map { scalars.index(after: $0) }
        return afterLast ?? scalars.startIndex
    }

    private static func endsValue(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "&\"'<>".unicodeScalars.contains(scalar)
    }

    private static func endsName(_ scalar: Unicode.Scalar) -> Bool {
        endsValue(scalar) || "?{}:,;".unicodeScalars.contains(scalar)
    }
}
