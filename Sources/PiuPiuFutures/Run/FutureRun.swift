internal import Synchronization

/// The actor behind an observed future: one that was sent, awaited, cancelled, shared, or given a callback.
///
/// It owns the run: the task that works, the interested parties, the callbacks and, at the end, the outcome. All of
/// that is isolated to the actor, which synchronous code may enter (``LockedActor``). ``FutureStateMachine`` and
/// ``CallbackQueue`` make the decisions; what they leave to do is an ``Aftermath``, performed outside.
///
/// Futures that nothing observes, such as the inner links of a chain, have none of this.
@usableFromInline
package actor FutureRun: LockedActor {
    @usableFromInline package typealias Outcome = FutureOutcome<any FutureValue>
    typealias Machine = FutureStateMachine<any FutureValue, Party>
    /// Names one token for a future.
    @usableFromInline package typealias InterestID = UInt32

    // Sound without a check for overlapping accesses: each access holds the lock of the actor, and calls nothing
    // outside it.

    // The small properties stand where the large ones before them leave room in a word.

    @exclusivity(unchecked) var machine = Machine()
    /// The greatest share of the transfer that an update has reported.
    @exclusivity(unchecked) var highestShare: Float = 0
    @exclusivity(unchecked) var callbacks: FutureCallbacks?
    /// The task that works for this future.
    @exclusivity(unchecked) var work: WorkTask?
    /// Names that task, from its first step to its end.
    @exclusivity(unchecked) var worker = TaskIdentity.none
    /// What this future waits for, and who reports to it.
    @exclusivity(unchecked) var sources = ShortList<Source>()
    /// Changed under the lock only, by `mark(_:)`; read anywhere, without it.
    private nonisolated let marks = Atomic<Marks>([])
    /// The step of the transfer that the last update has reported.
    @exclusivity(unchecked) var step = TransferStep.none
    /// The highest priority of an awaiter so far.
    @exclusivity(unchecked) var priority: UInt8 = 0
    /// The scopes that the future belongs to, until its last callback has run.
    @exclusivity(unchecked) var memberships: [ScopeMembership] = []
    /// The future, which lives until its last callback has run (contract rule RETAIN).
    @exclusivity(unchecked) var owner: AnyResponseFuture?

    /// What has happened to the future, beside what its machine knows.
    struct Marks: OptionSet, AtomicRepresentable, Sendable {
        let rawValue: UInt8

        /// Its own work has ended.
        static let workEnded = Marks(rawValue: 1)
        /// Its legacy action has begun: nothing touches the work of the link any more.
        static let actionBegun = Marks(rawValue: 2)
        /// It had callbacks that have all been called.
        static let callbacksCalled = Marks(rawValue: 4)
        /// It has settled.
        static let settled = Marks(rawValue: 8)
    }

    @usableFromInline
    init() {}

    func mark(_ new: Marks) { marks.store(marks.load(ordering: .relaxed).union(new), ordering: .releasing) }

    nonisolated func has(_ mark: Marks) -> Bool { marks.load(ordering: .acquiring).contains(mark) }

    @usableFromInline
    package nonisolated var hasSettled: Bool { has(.settled) }

    @usableFromInline
    package nonisolated var status: FutureStatus { enter(()) { run, _ in run.machine.status } }

    @usableFromInline
    nonisolated var settledOutcome: Outcome? {
        enter(()) { run, _ in
            if case .settled(let outcome) = run.machine.phase { outcome } else { nil }
        }
    }

    /// The greatest share of the transfer that an update has reported, from 0 to 1.
    package nonisolated var highestToldShare: Float { enter(()) { run, _ in run.highestShare } }

    /// The step of the transfer that the last update has reported.
    package nonisolated var latestStep: TransferStep { enter(()) { run, _ in run.step } }
}
