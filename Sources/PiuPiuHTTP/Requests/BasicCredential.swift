/// The user name and the password of HTTP Basic (RFC 7617).
///
/// ```swift
/// let session = Authenticator.basic(BasicCredential(user: name, password: password), for: api)
/// ```
///
/// Its encoded form has both, so it can be stored in a keychain. It is a secret, and its description doesn't show it.
public struct BasicCredential: Sendable, Hashable, Codable {
    /// The name of the user; it can't be sent with a colon or a control character.
    public var user: String

    /// The password; it can't be sent with a control character.
    public var password: String

    /// Makes a credential.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension BasicCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the type of the value: "BasicCredential(<redacted>)".
    public var description: String { "BasicCredential(\(HeaderRedaction.replacement))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: it is a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
