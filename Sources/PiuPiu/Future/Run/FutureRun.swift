/// The actor behind an observed future: one that was sent, awaited, cancelled, shared, or given a callback.
///
/// It owns the run: the task that works, who is interested, the callbacks and, at the end, the outcome. All of that is
/// isolated to the actor, which synchronous code may enter (``LockedActor``). The decisions are those of
/// ``FutureStateMachine`` and ``CallbackQueue``; what they leave to do is an ``Aftermath``, done outside.
///
/// Futures that nobody observes, such as the inner links of a chain, have none of this.
@usableFromInline
package actor FutureRun: LockedActor {
    @usableFromInline typealias Outcome = FutureOutcome<any FutureValue>
    typealias Machine = FutureStateMachine<any FutureValue, any Party>
    /// Names one token for a future.
    @usableFromInline package typealias InterestID = UInt32

    // Sound without a check for overlapping accesses: each is made under the lock of the actor, from which nothing calls
    // out.

    @exclusivity(unchecked) var machine = Machine()
    @exclusivity(unchecked) var callbacks: FutureCallbacks?
    /// The task that works for this future.
    @exclusivity(unchecked) var work: WorkTask?
    @exclusivity(unchecked) var isOwnWorkDone = false
    /// Whether a legacy action has begun: nobody touches the work of the link any more.
    @exclusivity(unchecked) var hasBegunAction = false
    /// Whether there were callbacks, all of which have been called.
    @exclusivity(unchecked) var hadCallbacks = false
    /// The highest priority that somebody has awaited it with.
    @exclusivity(unchecked) var priority: UInt8 = 0
    /// The greatest share of the transfer that an update has told.
    @exclusivity(unchecked) var highestShare: Float = 0
    /// The step of the transfer that the last update has told.
    @exclusivity(unchecked) var step = TransferStep.none
    /// What this future waits for.
    @exclusivity(unchecked) var sources = ShortList<Source>()
    /// The scopes that it belongs to, until its last callback has run.
    @exclusivity(unchecked) var memberships: [ScopeMembership] = []
    /// The future, which lives until its last callback has run (contract rule RETAIN).
    @exclusivity(unchecked) var owner: AnyResponseFuture?

    @usableFromInline
    init() {}

    @usableFromInline
    nonisolated var status: FutureStatus { enter(()) { run, _ in run.machine.status } }

    @usableFromInline
    nonisolated var settledOutcome: Outcome? {
        enter(()) { run, _ in
            if case .settled(let outcome) = run.machine.phase { outcome } else { nil }
        }
    }

    /// The greatest share of the transfer that an update has told, from 0 to 1.
    nonisolated var highestToldShare: Float { enter(()) { run, _ in run.highestShare } }

    /// The step of the transfer that the last update has told.
    nonisolated var latestStep: TransferStep { enter(()) { run, _ in run.step } }
}
