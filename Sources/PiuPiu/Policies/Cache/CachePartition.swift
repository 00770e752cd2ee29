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

    /// One partition for each value of the request's `Authorization`, `Api-Key`, `X-API-Key`, `X-Auth-Token` or
    /// `X-Access-Token`, and one for all requests without.
    ///
    /// Only a hash of the value is stored. For users who differ by something else, such as a cookie, use ``named(_:)``,
    /// or call ``HTTPCache/removeAll()`` at sign-out.
    public static let byCredential = CachePartition(kind: .byCredential)

    /// One partition for all requests, whatever their credentials.
    public static func named(_ name: String) -> CachePartition { CachePartition(kind: .named(name)) }

    /// Headers that name a user, or an app, and stay the same from request to request.
    private static let otherCredentials = ["api-key", "x-api-key", "x-auth-token", "x-access-token"]

    private static func credential(in headers: [String: String]) -> String? {
        let others = otherCredentials.compactMap { name in headers[name].map { "\n\(name): \($0)" } }
        let authorization = headers["authorization"]
        return authorization == nil && others.isEmpty ? nil : (authorization ?? "") + others.joined()
    }

    /// The partition of a request with these header fields, whose names are in lower case.
    func text(of headers: [String: String]) -> String {
        switch kind {
        case .named(let name): "name \(name)"
        case .byCredential: Self.credential(in: headers).map { "credential \(SecureHash.hex($0.utf8))" } ?? ""
        }
    }
}
