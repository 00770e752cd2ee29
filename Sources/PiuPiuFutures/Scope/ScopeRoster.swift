/// The decisions of a ``FutureScope``: what belongs to it, and whether more may be added.
///
/// A pure value that returns what to cancel; ``ScopeMembers`` keeps it under a lock, and cancels.
package struct ScopeRoster<Member: Sendable>: Sendable {
    private var members: [Int: Member] = [:]
    private var lastID = 0

    /// Whether new members are refused.
    package private(set) var isCancelled = false

    package init() {}

    package var count: Int { members.count }

    /// Adds a member, and returns its name; `nil` if it is to be cancelled instead.
    package mutating func enter(_ member: Member) -> Int? {
        guard !isCancelled else { return nil }
        lastID += 1
        members[lastID] = member
        return lastID
    }

    /// A member has ended; it may have been taken out before.
    package mutating func leave(_ id: Int) {
        members[id] = nil
    }

    /// Takes out all members, for the caller to cancel, in the order in which they were added.
    ///
    /// - Parameter isFinal: whether new members are refused from now on.
    package mutating func cancel(isFinal: Bool) -> [Member] {
        if isFinal { isCancelled = true }
        defer { members = [:] }
        return members.sorted { $0.key < $1.key }.map(\.value)
    }
}
