/// What is bound to a ``FutureScope``, without keeping it.
///
/// The futures know this and not the scope, whose last reference is its owner's.
final class ScopeMembers: Sendable {
    /// Cancels something to which it refers weakly.
    typealias Member = @Sendable () -> Void

    private let roster = Locked(ScopeRoster<Member>())

    var isCancelled: Bool { roster.withLock { $0.isCancelled } }

    var count: Int { roster.withLock { $0.count } }

    /// Takes somebody in; `nil` if the scope has been cancelled.
    ///
    /// - Returns: what is to be held as long as the member has not ended.
    func enter(_ member: @escaping Member) -> ScopeMembership? {
        roster.withLock { $0.enter(member) }.map { ScopeMembership(self, $0) }
    }

    func leave(_ id: Int) {
        // Nobody ends with this: members refer weakly to what they cancel.
        roster.withLock { $0.leave(id) }
    }

    func cancel(isFinal: Bool) {
        for cancel in roster.withLock({ $0.cancel(isFinal: isFinal) }) { cancel() }
    }
}

/// That something belongs to a scope: it leaves when this goes.
final class ScopeMembership: Sendable {
    private let members: ScopeMembers
    private let id: Int

    init(_ members: ScopeMembers, _ id: Int) {
        self.members = members
        self.id = id
    }

    deinit { leave() }

    /// Takes the member out; no matter how often.
    func leave() { members.leave(id) }
}
