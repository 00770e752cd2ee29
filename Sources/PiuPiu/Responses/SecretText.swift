/// Secrets in the text of a body: what servers repeat of a request that they refuse.
enum SecretText {
    /// The text without the values of JSON members and of form items whose name is that of a secret, and without bearer tokens
    /// and the like.
    ///
    /// The text needn't be whole, nor JSON.
    static func redacted(_ text: String) -> String {
        // Written so that no part of the text is read twice: a name ends at its quote, a value at its own.
        text.replacing(#/"([^"\\\s]+)"\s*:\s*("(?:[^"\\]|\\.)*"?|[^\s,"\[\]{}]+)/#) { match in
            URLText.isSecret(match.1) ? "\"\(match.1)\": \"<redacted>\"" : String(match.0)
        }
        .replacing(#/([^\s&=?"'<>{}:,;]+)=([^\s&"'<>]+)/#) { match in
            URLText.isSecret(match.1) ? "\(match.1)=<redacted>" : String(match.0)
        }
        .replacing(#/(?i)\b(bearer|basic)\s+[a-z0-9._~+\/=\-]{16,}/#) { match in "\(match.1) <redacted>" }
    }
}
