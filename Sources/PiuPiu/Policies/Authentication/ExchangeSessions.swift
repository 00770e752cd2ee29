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
