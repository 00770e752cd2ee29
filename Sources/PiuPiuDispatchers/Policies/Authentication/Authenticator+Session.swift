/// Sign-in, sign-out, and the credential in between.
extension Authenticator {
    /// The credential that requests are sent with; `nil` if there is none.
    public var credential: Credential? { store.issued.credential }

    /// Sets the credential, as after a sign-in.
    ///
    /// New requests, requests that wait for a refresh, and those that are rejected with an older credential are sent
    /// with it. A request that was sent with a credential isn't sent again after a ``removeCredential()``. A running
    /// refresh is cancelled, and its result is ignored. From any thread.
    public func setCredential(_ credential: Credential) {
        store.replace(with: fitted?(credential) ?? credential, origin: originText)
    }

    /// Removes the credential, as for a sign-out: requests are sent unchanged, and rejections are data.
    ///
    /// Requests with the credential that wait for a refresh, for a retry or for their turn in a queue fail with
    /// ``AuthenticationError/credentialRemoved(origin:)``; those in flight end as usual, but follow no redirect. The
    /// refresh is cancelled, and its result is ignored. Without a credential, nothing happens, unless the first one has
    /// yet to be obtained. From any thread.
    public func removeCredential() {
        store.replace(with: nil, origin: originText)
    }

    /// The current credential, and the new one after each refresh, sign-in or sign-out (`nil` if there is none): to
    /// store it in a keychain.
    ///
    /// ```swift
    /// Task {
    ///     for await token in session.credentials { keychain.store(token) }
    /// }
    /// ```
    ///
    /// In order; a slow consumer gets only the newest. Any number of tasks may observe. The sequence ends when the
    /// iterating task is cancelled, and retains the credential until then.
    public var credentials: CredentialChanges<Credential> { CredentialChanges(store: store) }
}

extension Authenticator: CustomStringConvertible, CustomReflectable {
    /// The origins of the credential: "Authenticator(https://example.com:443)".
    public var description: String { "Authenticator(\(origins.map(\.origin).joined(separator: ", ")))" }

    /// Empty: the contents are secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
