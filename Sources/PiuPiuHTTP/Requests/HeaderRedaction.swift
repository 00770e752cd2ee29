/// The headers, items of queries and forms, and members of JSON whose values are left out of logs.
///
/// ```swift
/// let redaction = HeaderRedaction.secrets
/// redaction.value("Bearer 1234", ofHeader: "authorization")  // "<redacted>"
/// redaction.value("text/plain", ofHeader: "Accept")          // "text/plain"
/// ```
///
/// Names are compared by their letters and digits alone, without regard to case (RFC 9110, section 5.1): `X_Api_Key`,
/// `x-apikey` and `xApiKey` are one name. Of an item of a query or a form, and of a member of JSON, the last name in
/// brackets or after a dot counts, too: `cvc` of `card[cvc]` and `card.cvc`.
///
/// A redaction of `Authorization` also covers the user and password of a URL. By the rule of ``secrets`` it also covers
/// secret names, such as `access_token`, in a query, a fragment, a form or JSON, and in the parameters of a path, such
/// as `;jsessionid=1`. That includes URLs in headers, such as `Location` and `Destination`, URLs in a body, such as in
/// the strings of JSON, and percent-encoded URLs or JSON that are the value of an item: these are left out as a whole.
public struct HeaderRedaction: Sendable {
    /// What is shown instead of a redacted value.
    package static let replacement = "<redacted>"

    /// Redacts credentials: the headers of HTTP itself, cookies, and everything whose name is that of a secret.
    ///
    /// - Secret are names such as `auth`, `code`, `key`, `pin`, `pwd`, `session` and `sid`, with or without an `X-`
    ///   before them.
    /// - Secret are names that contain `password`, and names that end with a word such as `Authorization`, `Cookie`,
    ///   `Token`, `Secret`, `Signature`, `Credential`, `Session-ID`, `API-Key`, `Access-Key` or `Private-Key`.
    /// - Tokens of paging, such as `pageToken`, are not secret, and neither is a number of tokens in JSON, such as
    ///   `{"audio_tokens": 7}`, or a header. In a query or a form `backup_tokens=48213377` may be a one-time password.
    /// - A `code` in the JSON of a response is shown if it is a number or words of ASCII letters, such as `404` or
    ///   `"not_found"`: it is the code of an error. With any other value, in a query, a form or the JSON of a request,
    ///   as in OAuth, it is secret.
    ///
    /// A redirect to another origin drops the headers that this rule names, and an ``HTTPCache`` keeps the responses to
    /// requests with different values of such a header apart.
    public static let secrets = HeaderRedaction(names: ["authorization"], isRule: true)

    /// Redacts nothing.
    public static let none = HeaderRedaction(names: [], isRule: false)

    private static let namesOfURLHeaders: Set<String> = ["location", "contentlocation", "referer", "refresh"]

    /// The names in the form for comparison.
    private let names: Set<String>

    /// Whether the rule also holds for headers.
    private let isRule: Bool

    private init(names: Set<String>, isRule: Bool) {
        self.names = names
        self.isRule = isRule
    }

    /// Redacts the values of these names, and no others.
    ///
    /// - Parameter names: the names of the headers, in any case. If `Authorization` is one of them, the secrets in URLs
    ///   and bodies are redacted, too.
    public init(_ names: some Sequence<String>) {
        self.init(names: Set(names.map { SecretName.key($0) }), isRule: false)
    }

    /// The same redaction, which also leaves out the values of these names.
    ///
    /// ```swift
    /// let redaction = HeaderRedaction.secrets.adding(["X-Customer", "iban"])
    /// ```
    ///
    /// - Parameter names: the names of headers, items and members, in any case.
    public func adding(_ names: some Sequence<String>) -> HeaderRedaction {
        HeaderRedaction(names: self.names.union(names.map { SecretName.key($0) }), isRule: isRule)
    }

    /// The text to show for a header: its value, or `<redacted>`, whatever the length of the value.
    ///
    /// Of a value that is a URL, such as that of `Location`, or has URLs in it, such as that of `Link`, only the secrets
    /// in these are redacted.
    ///
    /// - Parameters:
    ///   - value: the value of the header.
    ///   - name: the name of the header, in any case.
    public func value(_ value: String, ofHeader name: String) -> String {
        self.value(value, ofHeader: name, keepsPath: false)
    }

    /// The same; with `keepsPath`, for a recording, secrets in the path of a URL stay, and a `Link` can still be read.
    package func value(_ value: String, ofHeader name: String, keepsPath: Bool) -> String {
        if redacts(header: name, isNumber: value.utf8.isPlainNumber) { return Self.replacement }
        switch SecretName.key(name) {
        case "link":
            // For a reader of the header an angle bracket ends the URL.
            let replacement = keepsPath ? SecretBody.encodedReplacement : Self.replacement
            return URLText.redacted(references: value, by: self, replacement: replacement, keepsPath: keepsPath)
        case let key where Self.namesOfURLHeaders.contains(key):
            let shown = URLText.redacted(value, by: self, keepsPath: keepsPath)
            // A backslash may stand before a host, and hide its user.
            let read = shown.locationInBrowsers(), shownAsRead = URLText.redacted(read, by: self, keepsPath: keepsPath)
            return shownAsRead == read ? shown : shownAsRead
        default:
            guard value.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) else {
                return value
            }
            // Any header may have URLs in it: an absolute one, a path with a query, or several in a text.
            let shown = SecretURLs.redacted(Array(value.utf8), by: self, keepsPath: keepsPath)
            return String(decoding: shown, as: UTF8.self)
        }
    }

    /// Whether the value of a header is left out.
    private func redacts(header name: String, isNumber: Bool) -> Bool {
        names.contains(SecretName.key(name)) || isRule && SecretName.isSecret(name, isNumber: isNumber)
    }

    /// Whether the value of an item of a query or a form, or of a member of JSON, is left out.
    func redacts(item: some StringProtocol) -> Bool {
        SecretName.names(of: String(item)).contains { redacts(name: $0, isNumber: false) }
    }

    /// The same by this one of the names of an item.
    ///
    /// - Parameter isNumber: whether its value is known to be a whole number, not a text of digits.
    func redacts(name: String, isNumber: Bool) -> Bool {
        names.contains(SecretName.key(name)) || redactsCredentials && SecretName.isSecret(name, isNumber: isNumber)
    }

    /// Whether a `code` in the JSON of a response is shown if it is the code of an error.
    var showsErrorCodes: Bool { !names.contains("code") }

    /// Whether values that become an `Authorization` are left out.
    var redactsCredentials: Bool { names.contains("authorization") }

    /// Whether nothing is left out.
    var isNone: Bool { names.isEmpty }
}
