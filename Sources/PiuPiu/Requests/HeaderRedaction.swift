/// Which headers, items of queries and forms, and members of JSON keep their values to themselves when a request or a
/// response is shown, as in a log.
///
/// ```swift
/// let redaction = HeaderRedaction.secrets
/// redaction.value("Bearer 1234", ofHeader: "authorization")  // "<redacted>"
/// redaction.value("text/plain", ofHeader: "Accept")          // "text/plain"
/// ```
///
/// Names are compared without regard to case, as HTTP has it (RFC 9110, section 5.1), nor to anything that is neither a
/// letter nor a digit: `X_Api_Key`, `x-apikey` and `xApiKey` are one name.
///
/// Along with `Authorization` go the user and password of a URL, and, by the rule of ``secrets``, what is a secret by its
/// name in a query, a fragment, a form or JSON, such as `access_token`; so it is in the value of a header that is a URL, as
/// `Location`.
public struct HeaderRedaction: Sendable {
    /// What is shown instead of a redacted value.
    package static let replacement = "<redacted>"

    /// Redacts what holds credentials: the headers of HTTP itself, of cookies, and all whose names say so.
    ///
    /// Secret is what is named `auth`, `code`, `key`, `otp`, `pin`, `sas`, `session`, `sid` or `sig`, with or without an `X-`
    /// before it; what has `password` in its name; and what ends with a word as `Authorization`, `Cookie`, `Token`,
    /// `Secret`, `Signature`, `Credential`, `Session-ID`, `API-Key`, `Access-Key` or `Private-Key`. Tokens of paging, such as
    /// `pageToken`, are none. In the JSON of a response a `code` is shown that is a number or words of ASCII letters, such
    /// as `404` or `"not_found"`: it says what went wrong. As an item of a query or a form, as in OAuth, in the JSON of a
    /// request, and with any other value, it is secret. The same rule says which headers don't follow a redirect to another origin.
    public static let secrets = HeaderRedaction(names: ["authorization"], isRule: true)

    /// Redacts nothing.
    public static let none = HeaderRedaction(names: [], isRule: false)

    private static let namesOfURLHeaders: Set<String> = ["location", "contentlocation", "referer", "link", "refresh"]

    /// As they are compared.
    private let names: Set<String>

    /// Whether the rule holds for headers too.
    private let isRule: Bool

    private init(names: Set<String>, isRule: Bool) {
        self.names = names
        self.isRule = isRule
    }

    /// Redacts what has one of these names, and no others.
    ///
    /// - Parameter names: the names of the headers, in any case. With `Authorization` among them the secrets in URLs and
    ///   bodies are redacted as well.
    public init(_ names: some Sequence<String>) {
        self.init(names: Set(names.map { SecretName.key($0) }), isRule: false)
    }

    /// What is to be shown for a header: its value, or `<redacted>`, whatever the length of the value; of a `Location`,
    /// a `Content-Location`, a `Referer`, a `Link` or a `Refresh` all but the secrets in the URL.
    ///
    /// - Parameters:
    ///   - value: the value of the header.
    ///   - name: the name of the header, in any case.
    public func value(_ value: String, ofHeader name: String) -> String {
        if redacts(header: name) { return Self.replacement }
        return Self.namesOfURLHeaders.contains(SecretName.key(name)) ? URLText.redacted(value, by: self) : value
    }

    /// Whether the value of a header is left out.
    func redacts(header name: some StringProtocol) -> Bool {
        names.contains(SecretName.key(name)) || isRule && SecretName.isSecret(name)
    }

    /// Whether the value of an item of a query or a form, or of a member of JSON, is left out.
    func redacts(item name: some StringProtocol) -> Bool {
        names.contains(SecretName.key(name)) || redactsCredentials && SecretName.isSecret(name)
    }

    /// Whether a `code` in the JSON of a response is shown where it is that of an error.
    var showsErrorCodes: Bool { !names.contains("code") }

    /// Whether what becomes an `Authorization` is left out.
    var redactsCredentials: Bool { names.contains("authorization") }

    /// Whether nothing is left out.
    var isNone: Bool { names.isEmpty }
}
