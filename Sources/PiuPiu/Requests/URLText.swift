import Foundation

extension URL {
    /// The URL as it may be shown under a redaction.
    func text(redacting redaction: HeaderRedaction) -> String {
        URLText.redacted(absoluteString, by: redaction).escapingControlCharacters
    }
}

/// The secrets in the text of a URL: user and password, which become an `Authorization` header, and items of the query
/// or the fragment.
enum URLText {
    /// The text with its secrets redacted. It needn't be a valid URL.
    static func redacted(_ text: String, by redaction: HeaderRedaction) -> String {
        let (beforeFragment, fragment) = text.cut(at: "#")
        let (address, query) = beforeFragment.cut(at: "?")
        var redacted = redactedAuthority(address, by: redaction)
        if let query { redacted += "?" + redactedItems(query, by: redaction) }
        if let fragment { redacted += "#" + redactedItems(fragment, by: redaction) }
        return redacted
    }

    private static func redactedAuthority(_ address: Substring, by redaction: HeaderRedaction) -> String {
        guard let start = address.range(of: "//")?.upperBound else { return String(address) }
        let end = address[start...].firstIndex(of: "/") ?? address.endIndex
        guard let at = address[start..<end].lastIndex(of: "@") else { return String(address) }
        let user = redaction.secret(address[start..<at], ofHeader: "Authorization")
        return address[..<start] + user + address[at...]
    }

    private static func redactedItems(_ items: Substring, by redaction: HeaderRedaction) -> String {
        items.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let (encodedName, value) = item.cut(at: "=")
            guard let value else { return String(item) }
            let name = (encodedName.removingPercentEncoding ?? String(encodedName)).lowercased()
            let header = isSecret(name) ? "Authorization" : name
            return encodedName + "=" + redaction.secret(value, ofHeader: header)
        }.joined(separator: "&")
    }

    /// Whether what has this name usually is a secret.
    static func isSecret(_ name: some StringProtocol) -> Bool { secretNames.contains(name.lowercased()) }

    private static let secretNames: Set<String> = [
        "access_token", "api_key", "api-key", "apikey", "assertion", "auth", "auth_token", "client_assertion",
        "client_secret", "id_token", "jwt", "key", "passwd", "password", "pwd", "refresh_token", "secret", "session",
        "session_id", "sessionid", "sig", "signature", "token", "x-amz-credential", "x-amz-security-token",
        "x-amz-signature", "x-goog-credential", "x-goog-signature",
    ]
}

extension StringProtocol where SubSequence == Substring {
    /// What comes before the first separator, and what comes after it if there is one.
    fileprivate func cut(at separator: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: separator) else { return (self[...], nil) }
        return (self[..<index], self[self.index(after: index)...])
    }
}
