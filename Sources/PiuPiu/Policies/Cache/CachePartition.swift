/// Whose responses a cache gives to whom: nothing that is kept in one partition is seen in another.
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

    /// One for each value of the request's `Authorization`, and one for all requests without.
    ///
    /// Only a hash of the value is kept. Users who differ by something else, such as a cookie, need
    /// ``named(_:)``, or ``HTTPCache/removeAll()`` at the sign-out.
    public static let byCredential = CachePartition(kind: .byCredential)

    /// One for all requests, whatever their credential.
    public static func named(_ name: String) -> CachePartition { CachePartition(kind: .named(name)) }

    /// The partition of a request, by its header fields, whose names are in lower case.
    func text(of headers: [String: String]) -> String {
        switch kind {
        case .named(let name): "name \(name)"
        case .byCredential: headers["authorization"].map { "credential \(SecureHash.hex($0.utf8))" } ?? ""
        }
    }
}
