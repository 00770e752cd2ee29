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
    @usableFromInline typealias Machine = FutureStateMachine<any FutureValue, Party>
    @usableFromInline typealias InterestID = Machine.InterestID

    var machine = Machine()
    var callbacks: FutureCallbacks?
    /// The task that works for this future.
    var work: WorkTask?
    var isOwnWorkDone = false
    /// The highest priority that somebody has awaited it with.
    var priority: UInt8 = 0
    /// The greatest share of the transfer that an update has told.
    var highestShare: Float = 0
    /// What this future waits for.
    var sources = ShortList<Source>()
    /// The future, which lives until its last callback has run (contract rule RETAIN).
    var owner: AnyResponseFuture?

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
}
