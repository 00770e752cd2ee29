/// The members of a ``FutureScope``, which it doesn't retain.
///
/// Futures refer to this and not to the scope, which only its owner retains.
package final class ScopeMembers: Sendable {
    /// Something to cancel, which it refers to weakly.
    package enum Member: Sendable {
        /// Changes the state of a future; `nil` if it is gone.
        case future(@Sendable () -> CancelledFuture?)
        /// Cancels something else.
        case other(@Sendable () -> Void)
    }

    /// A future whose state has changed.
    package struct CancelledFuture: Sendable {
        let cancellation: FutureRun.Cancellation
        /// `nil` if only its run is left.
        let future: AnyResponseFuture?
    }

    private let roster = Locked(ScopeRoster<Member>())

    package var isCancelled: Bool { roster.withLock { $0.isCancelled } }

    package var count: Int { roster.withLock { $0.count } }

    /// Adds a member; `nil` if the scope has been cancelled.
    ///
    /// - Returns: the membership, to be retained until the member has ended.
    package func enter(_ member: Member) -> ScopeMembership? {
        roster.withLock { $0.enter(member) }.map { ScopeMembership(self, $0) }
    }

    func leave(_ id: Int) {
        // Under the lock this releases no future: members refer weakly to what they cancel.
        roster.withLock { $0.leave(id) }
    }

    /// Cancels all futures at once, and then the other members from the last to the first: none of them makes room for
    /// another one.
    ///
    /// It marks the futures that another thread is cancelling, too: they are cancelled when this returns.
    func cancel(isFinal: Bool) {
        let (members, ofOthers, batch) = roster.withLock { $0.cancel(isFinal: isFinal) }
        let cancelled = (members + ofOthers).compactMap { if case .future(let cancel) = $0 { cancel() } else { nil } }
        roster.withLock { $0.hasMarked(batch) }
        FutureRun.perform(all: cancelled.compactMap(\.cancellation.aftermath))
        for member in cancelled where member.cancellation.isBeforeStart { member.future?.disown() }
        for member in members.reversed() { if case .other(let cancel) = member { cancel() } }
    }
}

/// The membership of something in a scope, which ends when this is released.
package final class ScopeMembership: Sendable {
    package let members: ScopeMembers
    private let id: Int

    init(_ members: ScopeMembers, _ id: Int) {
        self.members = members
        self.id = id
    }

    deinit { leave() }

    /// Removes the member; idempotent.
    package func leave() { members.leave(id) }
}
