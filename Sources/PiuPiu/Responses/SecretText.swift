/// Secrets in the text of a body: what servers repeat of a request that they refuse.
package enum SecretText {
    /// The text without the values of JSON members and of form items whose name is that of a secret, and without bearer tokens
    /// and the like.
    ///
    /// The text needn't be whole, nor JSON.
    package static func redacted(_ text: String) -> String {
        let members = SecretMembers.redacted(Array(text.utf8), keepsTypes: false, where: SecretName.isSecret)
        return String(decoding: members, as: UTF8.self)
            .replacing(#/([^\s&=?"'<>{}:,;]+)=([^\s&"'<>]+)/#) { match in
                SecretName.isSecret(match.1) ? "\(match.1)=<redacted>" : String(match.0)
            }
            .replacing(#/(?i)\b(bearer|basic)\s+[a-z0-9._~+\/=\-]{16,}/#) { match in "\(match.1) <redacted>" }
    }
}
