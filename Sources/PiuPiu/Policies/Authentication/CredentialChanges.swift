/// The credential of an ``Authenticator`` as it is, and after each change: see ``Authenticator/credentials``.
public struct CredentialChanges<Credential: Sendable>: AsyncSequence, Sendable {
    /// A credential, or `nil` if there is none.
    public typealias Element = Credential?
    /// It never fails.
    public typealias Failure = Never

    let store: CredentialStore<Credential>

    /// Begins with the credential as it is then.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, signals: store.signals().makeAsyncIterator())
    }

    /// Gives the credentials one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let store: CredentialStore<Credential>
        var signals: AsyncStream<Void>.Iterator
        var seen: Int?

        /// The credential, as soon as it is another than the last; `nil` once the task is cancelled.
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
