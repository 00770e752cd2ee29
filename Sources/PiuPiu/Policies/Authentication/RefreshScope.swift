/// One refresh, as the requests that it makes know of it (rule EXEMPT).
///
/// It is found through the task. A task that the refresh starts, and that goes on after it, is exempt no longer.
final class RefreshScope: Sendable {
    @TaskLocal private static var current: RefreshScope?

    private let owner: ObjectIdentifier
    /// The refresh, of another authenticator, that this one was begun for.
    private let outer: RefreshScope?
    private let isOver = Locked(false)

    /// A refresh of `owner`, which the task that calls this begins.
    init(of owner: AnyObject) {
        self.owner = ObjectIdentifier(owner)
        outer = Self.current
    }

    /// Whether this task works for a refresh of `owner`.
    static func isCurrent(of owner: AnyObject) -> Bool {
        var scope = current
        while let inner = scope {
            if inner.owner == ObjectIdentifier(owner), !inner.isOver.withLock({ $0 }) { return true }
            scope = inner.outer
        }
        return false
    }

    /// Does the work of the refresh, with nothing of the task that began it but the refreshes that it works for.
    func result<Credential: Sendable>(
        of work: @Sendable () async throws -> Credential
    ) async -> Result<Credential, any Error> {
        defer { isOver.withLock { $0 = true } }
        do {
            // It may be too late already.
            try Task.checkCancellation()
            return .success(
                try await CredentialRefresh.$isCurrent.withValue(true) {
                    try await Self.$current.withValue(self) { try await work() }
                })
        } catch {
            return .failure(error)
        }
    }
}
