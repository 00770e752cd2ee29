public import Foundation

/// A bearer token (RFC 6750) and its refresh token, as an OAuth server answers (RFC 6749, section 5.1).
///
/// ```swift
/// let token = try await login.dataFuture(from: request).validated().decoded(BearerToken.self).value.data
/// ```
///
/// Its encoded form has the names of that answer, with `expires_at`, in seconds since 1970, instead of `expires_in`. So
/// it can be stored in a keychain. It is a secret, and its description doesn't show it.
public struct BearerToken: Sendable, Hashable {
    /// The token that requests are sent with.
    public var accessToken: String

    /// The token to get a new access token with, if the server sent one.
    public var refreshToken: String?

    /// When the access token expires, if known.
    public var expiry: Date? {
        didSet { lifetime = nil }
    }

    /// The `expires_in` of a server's answer, for an authenticator with a time of day of its own.
    private(set) var lifetime: TimeInterval?

    /// Makes a token.
    public init(_ accessToken: String, refreshToken: String? = nil, expiry: Date? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiry = expiry
    }
}

extension BearerToken {
    /// Whether both have the same tokens and the same expiry.
    public static func == (one: BearerToken, other: BearerToken) -> Bool {
        one.accessToken == other.accessToken && one.refreshToken == other.refreshToken && one.expiry == other.expiry
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(accessToken)
        hasher.combine(refreshToken)
        hasher.combine(expiry)
    }
}

extension BearerToken: Codable {
    private enum Names: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case lifetime = "expires_in"
        case expiry = "expires_at"

        // As a decoder with `convertFromSnakeCase` passes them on.
        case convertedAccessToken = "accessToken"
        case convertedRefreshToken = "refreshToken"
        case convertedLifetime = "expiresIn"
        case convertedExpiry = "expiresAt"
    }

    /// Decodes the answer of a server, whose `expires_in` counts from now, or an encoded token.
    ///
    /// The decoder may have the key decoding strategy `convertFromSnakeCase`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Names.self)
        accessToken = try values.decode(String.self, forKey: values.key(.accessToken, or: .convertedAccessToken))
        refreshToken = try values.decodeIfPresent(
            String.self, forKey: values.key(.refreshToken, or: .convertedRefreshToken))
        let expiryKey = values.key(.expiry, or: .convertedExpiry)
        // Some servers send a date of another form.
        if let seconds = try? values.decode(Double.self, forKey: expiryKey), seconds.isFinite {
            expiry = Date(timeIntervalSince1970: seconds)
        } else {
            lifetime = Self.lifetime(in: values)
            expiry = lifetime.map { Date(timeIntervalSinceNow: $0) }
        }
    }

    /// Some servers send the number as a text. A lifetime that can't be read is unknown, and the token still counts.
    private static func lifetime(in values: KeyedDecodingContainer<Names>) -> TimeInterval? {
        let key = values.key(.lifetime, or: .convertedLifetime)
        let number = try? values.decode(Double.self, forKey: key)
        let text = try? values.decode(String.self, forKey: key)
        return (number ?? text.flatMap { Double($0) }).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Encodes everything, also the secrets.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Names.self)
        try values.encode(accessToken, forKey: .accessToken)
        try values.encodeIfPresent(refreshToken, forKey: .refreshToken)
        try values.encodeIfPresent(expiry?.timeIntervalSince1970, forKey: .expiry)
    }
}

extension KeyedDecodingContainer {
    /// The key as it is written, unless only the converted one is there.
    fileprivate func key(_ written: Key, or converted: Key) -> Key {
        contains(converted) && !contains(written) ? converted : written
    }
}

extension BearerToken {
    /// The token with an expiry by another time of day than the system's, by which a server's answer was decoded.
    fileprivate func fitted(to now: Date) -> BearerToken {
        // It may have been decoded a while ago, so what is left of its lifetime counts. A difference of less than a
        // second is none: the two were asked one after the other.
        guard lifetime != nil, let expiry, abs(now.timeIntervalSinceNow) >= 1 else { return self }
        var token = self
        token.expiry = now.addingTimeInterval(expiry.timeIntervalSinceNow)
        return token
    }
}

extension BearerToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the type of the value: "BearerToken(<redacted>)".
    public var description: String { "BearerToken(\(HeaderRedaction.replacement))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: it is a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Authenticator where Credential == BearerToken {
    /// An authenticator that sends `Authorization: Bearer` and the access token (RFC 6750, section 2.1).
    ///
    /// ```swift
    /// let session = Authenticator.bearer(savedToken, for: api) { old in
    ///     var request = URLRequest(url: api.appending(path: "token"))
    ///     request.httpMethod = "POST"
    ///     request.setFormBody(["grant_type": "refresh_token", "refresh_token": old.refreshToken ?? ""])
    ///     return try await login.dataFuture(from: request).validated().decoded(BearerToken.self).value.data
    /// }
    /// let dispatcher = URLRequestDispatcher().authenticated(by: session).retrying()
    /// ```
    ///
    /// The ``Authenticator/expiry`` is that of the token. A new token without a refresh token keeps the previous one
    /// (RFC 6749, section 6). A request whose token has a control character fails with
    /// ``InvalidRequestError/controlCharacterInCredential(url:)``.
    ///
    /// - Parameters:
    ///   - token: the initial token; `nil` if nobody has signed in.
    ///   - origin: a URL of its server, such as the base URL; others may be added to ``Authenticator/origins``.
    ///   - clock: measures the ``Authenticator/timeLimit``.
    ///   - now: returns the time of day, for the expiry. The `expires_in` of a server's answer counts by it: in the
    ///     initial token, in that of a sign-in, and in that of a refresh.
    ///   - refresh: gets a new token, given the old one, as in ``Authenticator/init(_:for:clock:now:apply:refresh:)``.
    public static func bearer(
        _ token: BearerToken?, for origin: URL, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (_ old: BearerToken) async throws -> BearerToken
    ) -> Authenticator<BearerToken> {
        let fitted = { @Sendable (token: BearerToken) in token.fitted(to: now()) }
        var authenticator = Authenticator(token.map(fitted), for: origin, clock: clock, now: now) { request, token in
            try request.setBearerAuthorization(token.accessToken)
        } refresh: { old in
            var new = try await refresh(old)
            new.refreshToken = new.refreshToken ?? old.refreshToken
            if let lifetime = new.lifetime { new.expiry = now().addingTimeInterval(lifetime) }
            return new
        }
        authenticator.fitted = fitted
        authenticator.expiry = { $0.expiry }
        return authenticator
    }
}
