extension Dispatching {
    /// This dispatcher with authentication: it sends a credential, and gets a new one when it is rejected.
    ///
    /// ```swift
    /// let session = Authenticator.bearer(savedToken, for: api) { old in try await login.renewed(old) }
    /// let dispatcher = URLRequestDispatcher().authenticated(by: session).retrying()
    /// ```
    ///
    /// For futures of all kinds, by the rules of ``Authenticator``. Apply it before `retrying()`: then sending a
    /// request again with a new credential costs no attempt.
    ///
    /// - Parameter authenticator: has the credential; several dispatchers may share one.
    public func authenticated<Credential: Sendable>(
        by authenticator: Authenticator<Credential>
    ) -> PolicyDispatcher<Self, Authenticator<Credential>> {
        applying(authenticator)
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher with authentication: it sends a credential, and gets a new one when it is rejected.
    @_disfavoredOverload
    public func authenticated(by authenticator: Authenticator<some Sendable>) -> any DataDispatcher {
        applying(authenticator)
    }
}

extension DownloadDispatcher {
    /// This dispatcher with authentication: it sends a credential, and gets a new one when it is rejected.
    @_disfavoredOverload
    public func authenticated(by authenticator: Authenticator<some Sendable>) -> any DownloadDispatcher {
        applying(authenticator)
    }
}

extension UploadDispatcher {
    /// This dispatcher with authentication: it sends a credential, and gets a new one when it is rejected.
    @_disfavoredOverload
    public func authenticated(by authenticator: Authenticator<some Sendable>) -> any UploadDispatcher {
        applying(authenticator)
    }
}

extension StreamDispatcher {
    /// This dispatcher with authentication: it sends a credential, and gets a new one when it is rejected.
    @_disfavoredOverload
    public func authenticated(by authenticator: Authenticator<some Sendable>) -> any StreamDispatcher {
        applying(authenticator)
    }
}

extension RequestDispatcher {
    /// This dispatcher with authentication: it sends a credential, and gets a new one when it is rejected.
    @_disfavoredOverload
    public func authenticated(by authenticator: Authenticator<some Sendable>) -> any RequestDispatcher {
        applying(authenticator)
    }
}
