/// The decisions of a ``FutureScope``: who belongs to it, and whether anybody may.
///
/// A pure value that answers with what is to be cancelled; ``ScopeMembers`` keeps it under a lock and does so.
package struct ScopeRoster<Member: Sendable>: Sendable {
    private var members: [Int: Member] = [:]
    private var lastID = 0

    /// Whether nobody is taken in any more.
    package private(set) var isCancelled = false

    package init() {}

    package var count: Int { members.count }

    /// Takes in a member, and names it; `nil` if it is to be cancelled instead.
    package mutating func enter(_ member: Member) -> Int? {
        guard !isCancelled else { return nil }
        lastID += 1
        members[lastID] = member
        return lastID
    }

    /// A member has ended; somebody else may have taken it out.
    package mutating func leave(_ id: Int) {
        members[id] = nil
    }

    /// Takes out all members, which are to be cancelled, in the order in which they came.
    ///
    /// - Parameter isFinal: whether nobody is taken in from now on.
    package mutating func cancel(isFinal: Bool) -> [Member] {
        if isFinal { isCancelled = true }
        defer { members = [:] }
        return members.sorted { $0.key < $1.key }.map(\.value)
    }
}
