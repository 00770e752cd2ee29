#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The generations of the credentials with which the attempts and copies of one exchange began (rule SESSION). Those
/// without a credential don't count: they belong to no user.
package final class ExchangeSessions: Sendable {
    private let generations = Locked<[ObjectIdentifier: Int]>([:])

    /// The generation of the first attempt with a credential of a store; `nil` if there was none.
    ///
    /// - Parameter generation: the current one, which counts if this is the first attempt; `nil` without a credential.
    package func first(of store: AnyObject, now generation: Int?) -> Int? {
        generations.withLock { generations in
            let first = generations[ObjectIdentifier(store)] ?? generation
            generations[ObjectIdentifier(store)] = first
            return first
        }
    }
}

/// The sessions of all connections of one iterator of an event source.
package final class ReconnectingSessions: Sendable {
    package let urlRequest: URLRequest
    package let sessions = ExchangeSessions()

    package init(of urlRequest: URLRequest) {
        self.urlRequest = urlRequest
    }
}
