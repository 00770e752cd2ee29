/// Secrets in the text of a body: servers repeat parts of a request that they refuse.
package enum SecretText {
    /// The text without secrets: the values of JSON members and form items with secret names, bearer tokens, user and
    /// password of URLs, and the like.
    ///
    /// The code of an error stays. The text needn't be JSON.
    ///
    /// - Parameter isCut: whether more may have followed, so that a secret at the end may not look like one.
    package static func redacted(_ text: String, isCut: Bool = false) -> String {
        // By Unicode's rules a colon between letters is part of a word.
        let credentials = #/(?i)\b(bearer|basic)\s+[a-z0-9._~+\/=\-]{16,}/#.wordBoundaryKind(.simple)
        // First, because a value without quotation marks ends at a space: only the scheme would be redacted.
        let text = text.replacing(credentials) { match in "\(match.1) <redacted>" }
        let members = SecretMembers.redacted(
            Array(text.utf8), keepsTypes: false, showsErrorCodes: true, where: SecretName.isSecret)
        let items = SecretItems.redacted(String(decoding: members, as: UTF8.self))
        let urls = SecretURLs.redacted(Array(items.utf8), by: .secrets, isCut: isCut)
        return String(decoding: urls, as: UTF8.self)
    }
}
