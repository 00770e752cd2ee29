/// The members of a ``FutureScope``, which it doesn't retain.
///
/// Futures refer to this and not to the scope, which only its owner retains.
package final class ScopeMembers: Sendable {
    /// Cancels something that it refers to weakly.
    package typealias Member = @Sendable () -> Void

    private let roster = Locked(ScopeRoster<Member>())

    package var isCancelled: Bool { roster.withLock { $0.isCancelled } }

    package var count: Int { roster.withLock { $0.count } }

    /// Adds a member; `nil` if the scope has been cancelled.
    ///
    /// - Returns: the membership, to be retained until the member has ended.
    package func enter(_ member: @escaping Member) -> ScopeMembership? {
        roster.withLock { $0.enter(member) }.map { ScopeMembership(self, $0) }
    }

    func leave(_ id: Int) {
        // Under the lock this releases no future: members refer weakly to what they cancel.
        roster.withLock { $0.leave(id) }
    }

    func cancel(isFinal: Bool) {
        for cancel in roster.withLock({ $0.cancel(isFinal: isFinal) }) { cancel() }
    }
}

/// The membership of something in a scope, which ends when this is released.
package final class ScopeMembership: Sendable {
    private let members: ScopeMembers
    private let id: Int

    init(_ members: ScopeMembers, _ id: Int) {
        self.members = members
        self.id = id
    }

    deinit { leave() }

    /// Removes the member; idempotent.
    package func leave() { members.leave(id) }
}
