import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The generations of the credentials with which the attempts and copies of one exchange began (rule SESSION).
final class ExchangeSessions: Sendable {
    private let generations = Locked<[ObjectIdentifier: Int]>([:])

    /// The generation of the first attempt, of the credential of a store.
    ///
    /// - Parameter generation: the current one, which counts if this is the first attempt.
    func first(of store: AnyObject, now generation: Int) -> Int {
        generations.withLock { generations in
            let first = generations[ObjectIdentifier(store)] ?? generation
            generations[ObjectIdentifier(store)] = first
            return first
        }
    }
}

/// The sessions of all connections of one iterator of an event source.
final class ReconnectingSessions: Sendable {
    let urlRequest: URLRequest
    let sessions = ExchangeSessions()

    init(of urlRequest: URLRequest) {
        self.urlRequest = urlRequest
    }
}
