/// When to check the time limit of which exchange, so that an alarm doesn't check all of them.
///
/// A new limit, and one that comes nearer, only move the instant at which all limits are listed anew, so that the start
/// and the end of an exchange cost next to nothing. As most limits are equally long, that is once in such a time. One
/// that has moved away is noticed when the exchange is checked.
package struct LimitList: Sendable {
    /// An exchange, by its ticket, and its limit.
    package typealias Entry = (ticket: Int, limit: UInt64)

    private var alarms = AlarmList<UInt64, Int>()
    /// The earliest limit that may be missing in the list.
    private var earliestNew = UInt64.max

    package init() {}

    /// When to check next.
    package var first: UInt64 { min(alarms.first ?? .max, earliestNew) }

    /// A limit is new, or has come nearer.
    package mutating func note(_ limit: UInt64) { earliestNew = min(earliestNew, limit) }

    /// Whether all limits must be listed anew, as one may be due that isn't in the list. Then the list is empty.
    package mutating func mustBegin(at now: UInt64) -> Bool {
        guard earliestNew <= now else { return false }
        self = LimitList()
        return true
    }

    /// Lists limits; one of `.max` is none.
    package mutating func add(_ entries: [Entry]) {
        for (ticket, limit) in entries where limit < .max { _ = alarms.add(ticket, at: limit) }
    }

    /// Takes out the exchanges to check: their limits are due, if they haven't moved since.
    package mutating func removeDue(at now: UInt64) -> [Int] { alarms.removeAll(until: now) }
}
