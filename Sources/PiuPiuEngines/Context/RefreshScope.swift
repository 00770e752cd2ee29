/// The refresh that a task works for, so that its own requests are exempt (rule EXEMPT).
///
/// It is found through the task. A task that outlives the refresh that started it is no longer exempt.
package final class RefreshScope: Sendable {
    @TaskLocal private static var current: RefreshScope?

    private let owner: ObjectIdentifier
    /// A refresh of another authenticator that this one works for.
    private let outer: RefreshScope?
    private let isOver = Locked(false)

    /// A refresh of `owner`, begun by the current task.
    package init(of owner: AnyObject) {
        self.owner = ObjectIdentifier(owner)
        outer = Self.current
    }

    /// Whether this task works for a refresh of `owner`.
    package static func isCurrent(of owner: AnyObject) -> Bool { isAnyCurrent { $0.owner == ObjectIdentifier(owner) } }

    /// Whether this task works for a refresh of any authenticator.
    package static var isAnyCurrent: Bool { isAnyCurrent { _ in true } }

    private static func isAnyCurrent(_ isMeant: (RefreshScope) -> Bool) -> Bool {
        var scope = current
        while let inner = scope {
            if isMeant(inner), !inner.isOver.withLock({ $0 }) { return true }
            scope = inner.outer
        }
        return false
    }

    /// Does the work of the refresh. Of the task that began it, it keeps only the refreshes that this one works for.
    package func result<Credential: Sendable>(
        of work: @Sendable () async throws -> Credential
    ) async -> Result<Credential, any Error> {
        defer { isOver.withLock { $0 = true } }
        do {
            // It may be too late already.
            try Task.checkCancellation()
            return .success(try await Self.$current.withValue(self) { try await work() })
        } catch {
            return .failure(error)
        }
    }
}
