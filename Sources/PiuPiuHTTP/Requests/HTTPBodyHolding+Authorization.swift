import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPBodyHolding {
    /// Sets `Authorization` to `Basic` with a user name and a password (RFC 7617), and replaces any other.
    ///
    /// ```swift
    /// try request.setBasicAuthorization(user: "Aladdin", password: "open sesame")
    /// ```
    ///
    /// Both are sent in the Normalization Form C of Unicode and in UTF-8 (section 2.1), so texts that Swift considers
    /// equal are the same bytes. Base64 hides nothing: use https. `Authenticator.basic(_:for:)` does the same for all
    /// requests to a server.
    ///
    /// - Throws: ``InvalidRequestError/colonInUserName(url:)`` and
    ///   ``InvalidRequestError/controlCharacterInCredential(url:)``; the request stays as it was.
    public mutating func setBasicAuthorization(user: String, password: String) throws(InvalidRequestError) {
        // By bytes: a colon and a combining mark are one character.
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUserName(url: urlForErrors) }
        guard !user.hasControlCharacter, !password.hasControlCharacter else {
            throw .controlCharacterInCredential(url: urlForErrors)
        }
        let text = "\(user):\(password)".precomposedStringWithCanonicalMapping
        setAuthorization("Basic \(Data(text.utf8).base64EncodedString())")
    }

    /// Sets `Authorization` to `Bearer` with a token (RFC 6750, section 2.1), and replaces any other.
    ///
    /// `Authenticator.bearer(_:for:clock:now:refresh:)` does the same for all requests to a server, and renews the
    /// token.
    ///
    /// - Throws: ``InvalidRequestError/controlCharacterInCredential(url:)``, except for a tab; the request stays as it
    ///   was.
    public mutating func setBearerAuthorization(_ token: String) throws(InvalidRequestError) {
        // Foundation drops a value with a line end, and the request would go without a credential.
        guard token.isFieldValue else { throw .controlCharacterInCredential(url: urlForErrors) }
        setAuthorization("Bearer \(token)")
    }

    private mutating func setAuthorization(_ value: String) {
        setValue(value, forHTTPHeaderField: "Authorization")
    }

    /// The URL of the request for errors; `nil` if its type has none.
    private var urlForErrors: URL? { (self as? URLRequest)?.url }
}

extension String {
    fileprivate var hasControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
