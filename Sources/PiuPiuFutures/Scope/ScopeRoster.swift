/// The decisions of a ``FutureScope``: what belongs to it, and whether more may be added.
///
/// A pure value that returns what to cancel; ``ScopeMembers`` keeps it under a lock, and cancels.
package struct ScopeRoster<Member: Sendable>: Sendable {
    private var members: [Int: Member] = [:]
    private var lastID = 0
    /// The members that callers are cancelling now, by the numbers of their calls.
    private var batches: [Int: [Member]] = [:]
    private var lastBatch = 0

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
    /// - Returns: the members; those that other callers are cancelling, but may not have marked as cancelled yet; and
    ///   the number of this call, for ``hasMarked(_:)``.
    package mutating func cancel(isFinal: Bool) -> (members: [Member], ofOthers: [Member], batch: Int) {
        if isFinal { isCancelled = true }
        let ofOthers = batches.sorted { $0.key < $1.key }.flatMap(\.value)
        let taken = members.sorted { $0.key < $1.key }.map(\.value)
        members = [:]
        lastBatch += 1
        batches[lastBatch] = taken
        return (taken, ofOthers, lastBatch)
    }

    /// The members of this call are marked as cancelled.
    package mutating func hasMarked(_ batch: Int) { batches[batch] = nil }
}
