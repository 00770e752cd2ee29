/// Separates the responses of a cache: those stored in one partition are never visible in another.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().cached(in: cache, partition: .named(user.id))
/// ```
public struct CachePartition: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case byCredential
        case named(String)
    }

    private let kind: Kind

    /// One partition for each value of the request's `Authorization`, of a user and a password in its URL, of the headers
    /// that an ``Authenticator`` has set, and of other headers whose name is that of a secret, such as `X-API-Key` or
    /// `Private-Token`, and one for all requests without.
    ///
    /// Only a hash of the values is stored. `Cookie` doesn't count, nor does `DPoP`, which is another one for each
    /// request. For users who differ by something else, such as a cookie, use ``named(_:)``, or call
    /// ``HTTPCache/removeAll()`` at sign-out.
    public static let byCredential = CachePartition(kind: .byCredential)

    /// One partition for all requests, whatever their credentials.
    public static func named(_ name: String) -> CachePartition { CachePartition(kind: .named(name)) }

    /// Headers with secrets that don't tell users apart, and common ones without, which are quicker to find here.
    private static let otherHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "authorization", "cache-control", "content-length",
        "content-type", "cookie", "dpop", "host", "if-modified-since", "if-none-match", "origin", "pragma", "referer",
        "user-agent",
    ]

    private static func credential(
        in headers: [String: String], _ user: String?, _ credentialHeaders: Set<String>
    ) -> String? {
        let names = headers.keys.filter {
            !otherHeaders.contains($0) && (credentialHeaders.contains($0) || SecretName.isSecret($0))
        }
        let authorization = headers["authorization"]
        guard authorization != nil || user != nil || !names.isEmpty else { return nil }
        return (authorization ?? "") + (user.map { "\nuser \($0)" } ?? "")
            + names.sorted().map { "\n\($0): \(headers[$0] ?? "")" }.joined()
    }

    /// The partition of a request with these header fields, whose names are in lower case.
    ///
    /// - Parameters:
    ///   - user: the user and the password in its URL.
    ///   - credentialHeaders: the names of the headers that an authenticator has put a credential into.
    func text(of headers: [String: String], user: String?, _ credentialHeaders: Set<String>) -> String {
        switch kind {
        case .named(let name): "name \(name)"
        case .byCredential:
            Self.credential(in: headers, user, credentialHeaders)
                .map { "credential \(SecureHash.hex($0.utf8))" } ?? ""
        }
    }
}
