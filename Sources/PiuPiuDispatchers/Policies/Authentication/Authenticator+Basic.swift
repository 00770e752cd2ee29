public import Foundation

extension Authenticator where Credential == BasicCredential {
    /// An authenticator that sends `Authorization: Basic` with a user name and a password (RFC 7617).
    ///
    /// ```swift
    /// let session = Authenticator.basic(BasicCredential(user: name, password: password), for: api)
    /// let dispatcher = URLRequestDispatcher().authenticated(by: session).retrying()
    /// ```
    ///
    /// There is no refresh, as with ``Authenticator/init(_:for:apply:)``: a 401 is the response.
    ///
    /// A request fails with ``InvalidRequestError/colonInUserName(url:)`` or
    /// ``InvalidRequestError/controlCharacterInCredential(url:)`` if its credential can't be sent.
    ///
    /// - Parameters:
    ///   - credential: the initial credential; `nil` if nobody has signed in.
    ///   - origin: a URL of its server, such as the base URL; others may be added to ``Authenticator/origins``.
    public static func basic(_ credential: BasicCredential?, for origin: URL) -> Authenticator<BasicCredential> {
        Authenticator(credential, for: origin) { request, credential in
            try request.setBasicAuthorization(user: credential.user, password: credential.password)
        }
    }
}
