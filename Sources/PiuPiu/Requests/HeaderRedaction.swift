/// Which headers keep their values to themselves when a request or a response is shown, as in a log.
///
/// ```swift
/// let redaction = HeaderRedaction.secrets
/// redaction.value("Bearer 1234", ofHeader: "authorization")  // "<redacted>"
/// redaction.value("text/plain", ofHeader: "Accept")          // "text/plain"
/// ```
///
/// Names are compared without regard to case, as HTTP has it (RFC 9110, section 5.1), nor to white space.
///
/// A URL keeps its secrets along with `Authorization`: its user and password, and the items of its query and fragment
/// that usually hold one, such as `access_token`. So it is in the value of a header that is a URL, as `Location`.
public struct HeaderRedaction: Sendable {
    /// What is shown instead of a redacted value.
    private static let replacement = "<redacted>"

    /// Redacts the headers that hold credentials: those of HTTP itself, of cookies, and the usual ones of services.
    public static let secrets = HeaderRedaction([
        "Authorization", "Proxy-Authorization", "Authentication-Info", "Proxy-Authentication-Info",
        "Cookie", "Cookie2", "Set-Cookie", "Set-Cookie2",
        "API-Key", "ApiKey", "X-API-Key", "X-ApiKey", "X-API-Token", "X-API-Secret", "X-App-Key", "X-App-Secret",
        "X-Auth", "X-Auth-Key", "X-Auth-Token", "X-Access-Token", "X-Refresh-Token", "X-ID-Token", "X-Session-Token",
        "X-Session-ID", "X-Client-Secret", "X-Secret", "X-Secret-Key", "X-Authorization", "X-Forwarded-Authorization",
        "X-CSRF-Token", "X-CSRFToken", "X-XSRF-Token", "CSRF-Token", "XSRF-Token",
        "X-Amz-Security-Token", "X-Goog-API-Key", "X-Goog-IAM-Authorization-Token", "X-Functions-Key",
        "X-GitHub-Token", "X-GitLab-Token", "Private-Token", "Job-Token", "X-Vault-Token", "X-Shopify-Access-Token",
        "X-Parse-Session-Token", "X-Parse-Master-Key", "X-Parse-REST-API-Key", "Ocp-Apim-Subscription-Key",
        "X-RapidAPI-Key", "DPoP",
    ])

    /// Redacts nothing.
    public static let none = HeaderRedaction([])

    private static let namesOfURLHeaders: Set<String> = ["location", "content-location", "referer"]

    private let names: Set<String>

    /// Redacts the headers with these names, and no others.
    ///
    /// - Parameter names: the names of the headers, in any case.
    public init(_ names: some Sequence<String>) {
        self.names = Set(names.map(\.headerKey))
    }

    /// What is to be shown for a header: its value, or `<redacted>`, whatever the length of the value; of a `Location`,
    /// a `Content-Location` or a `Referer` all but the secrets in the URL.
    ///
    /// - Parameters:
    ///   - value: the value of the header.
    ///   - name: the name of the header, in any case.
    public func value(_ value: String, ofHeader name: String) -> String {
        let shown = secret(value[...], ofHeader: name)
        return Self.namesOfURLHeaders.contains(name.headerKey) ? URLText.redacted(shown, by: self) : shown
    }

    /// The same for a value that is no URL, or is part of one.
    func secret(_ value: Substring, ofHeader name: String) -> String {
        names.contains(name.headerKey) ? Self.replacement : String(value)
    }
}

extension String {
    /// The name of a header as it is compared.
    fileprivate var headerKey: String { lowercased().filter { !$0.isWhitespace } }
}
