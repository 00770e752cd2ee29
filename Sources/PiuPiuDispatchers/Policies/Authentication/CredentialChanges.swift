/// The credential of an ``Authenticator``, now and after each change: see ``Authenticator/credentials``.
public struct CredentialChanges<Credential: Sendable>: AsyncSequence, Sendable {
    /// A credential, or `nil` if there is none.
    public typealias Element = Credential?
    /// It never fails.
    public typealias Failure = Never

    let store: CredentialStore<Credential>

    /// Makes an iterator, which begins with the current credential.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, signals: store.signals().makeAsyncIterator())
    }

    /// Returns the credentials one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let store: CredentialStore<Credential>
        var signals: AsyncStream<Void>.Iterator
        var seen: Int?

        /// The credential, as soon as it differs from the last one; `nil` once the task is cancelled.
        public mutating func next() async -> Credential?? {
            while !Task.isCancelled {
                let issued = store.issued
                if issued.generation != seen {
                    seen = issued.generation
                    return .some(issued.credential)
                }
                guard await signals.next(isolation: #isolation) != nil else { break }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension CredentialChanges.Iterator: Sendable {}
