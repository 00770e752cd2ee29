/// Sign-in, sign-out, and what there is between them.
extension Authenticator {
    /// The credential that requests are sent with; `nil` if there is none.
    public var credential: Credential? { store.issued.credential }

    /// Sets the credential, as after a sign-in.
    ///
    /// Requests that begin from now on, those who wait for a refresh, and those that are rejected with an older one, are sent
    /// with it; but what was sent before a ``removeCredential()`` isn't sent again. A refresh that runs is cancelled, and
    /// what it still brings is thrown away. From any thread.
    public func setCredential(_ credential: Credential) {
        store.replace(with: credential, origin: originText)
    }

    /// Removes the credential, as for a sign-out: requests are sent as they are, and rejections are data.
    ///
    /// Who waits for a refresh ends with ``AuthenticationError/credentialRemoved(origin:)``. The refresh is cancelled, and
    /// what it still brings is thrown away. From any thread.
    public func removeCredential() {
        store.replace(with: nil, origin: originText)
    }

    /// The credential as it is, and after each change by a refresh, a sign-in or a sign-out, `nil` if there is none: to keep
    /// it in a keychain.
    ///
    /// ```swift
    /// Task {
    ///     for await token in session.credentials { keychain.store(token) }
    /// }
    /// ```
    ///
    /// In order; who is slower than the changes gets the newest. Any number may observe. The sequence ends when the task
    /// that goes through it is cancelled, and keeps the credential until then.
    public var credentials: CredentialChanges<Credential> { CredentialChanges(store: store) }
}

extension Authenticator: CustomStringConvertible, CustomReflectable {
    /// Where the credential belongs: "Authenticator(https://example.com:443)".
    public var description: String { "Authenticator(\(origins.map(\.origin).joined(separator: ", ")))" }

    /// Nothing: what is inside is secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
