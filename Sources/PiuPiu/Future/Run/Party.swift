/// Somebody who is interested in a future, and holds a token for it (contract rule INTEREST).
///
/// All of them are objects, and one reference: they are moved about with the state of a future.
protocol Party: AnyObject, Sendable {
    /// The run that is updated too.
    var receiver: FutureRun? { get }

    /// The run that gets this update, if it wants it. Called under the lock of the future.
    func receiver(of update: TransferUpdate) -> FutureRun?

    /// The task that waits, if one does.
    var waitingTask: TaskReference? { get }

    /// The future has settled: changes the states of others that depend on that. Called on any thread, outside all locks.
    func didSettle(with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath]

    /// All states have changed: those who wait may go on.
    func resume(with outcome: FutureOutcome<any FutureValue>)
}

extension Party {
    func receiver(of update: TransferUpdate) -> FutureRun? { receiver }
    var waitingTask: TaskReference? { nil }
    func didSettle(with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath] { [] }
    func resume(with outcome: FutureOutcome<any FutureValue>) {}
}

/// A task that has not suspended yet.
final class RunningAwaiter: Party {
    static let shared = RunningAwaiter()

    var receiver: FutureRun? { nil }
}

/// The work of a future made from the one that it waits for, which has not suspended yet.
extension FutureRun: Party {
    nonisolated var receiver: FutureRun? { self }
}

/// A task, or the work of a future made from this one, that is suspended.
extension Awaiter: Party {
    var receiver: FutureRun? { child }
    var waitingTask: TaskReference? { task }

    func resume(with outcome: FutureOutcome<any FutureValue>) { resume(returning: outcome) }
}

/// A future that the one that it waits for fulfills.
extension AnyResponseFuture: Party {
    var receiver: FutureRun? { existingRun }

    func didSettle(with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath] {
        run.settling(outcome).map { [$0] } ?? []
    }
}

/// One future as a join, or a sequence, sees it.
final class ObservedPart: Party {
    private let observer: any OutcomeObserver
    /// The place of the future in the join or the sequence.
    private let place: Int

    init(_ observer: any OutcomeObserver, _ place: Int) {
        self.observer = observer
        self.place = place
    }

    var receiver: FutureRun? { observer.updateReceiver }

    func receiver(of update: TransferUpdate) -> FutureRun? {
        observer.wants(update, from: place) ? observer.updateReceiver : nil
    }

    func didSettle(with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath] {
        observer.didSettle(place, with: outcome)
    }

    func resume(with outcome: FutureOutcome<any FutureValue>) { observer.resumeWaiters() }
}

/// Somebody who observes the ends of several futures, without a task for each.
@usableFromInline
package protocol OutcomeObserver: AnyObject, Sendable {
    /// The run that is updated by the futures' updates.
    var updateReceiver: FutureRun? { get }

    /// Whether that run is to get this update. Called under the lock of the future, so it calls nothing else.
    func wants(_ update: TransferUpdate, from place: Int) -> Bool

    /// One of the futures has settled: changes the states of others that depend on that. Called on any thread, outside
    /// all locks.
    func didSettle(_ place: Int, with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath]

    /// All states have changed: those who wait for the observer may go on.
    func resumeWaiters()
}

extension OutcomeObserver {
    /// All updates are wanted.
    @usableFromInline
    package func wants(_ update: TransferUpdate, from place: Int) -> Bool { true }
}

/// What names an interest in a future, and gives it up (contract rule INTEREST).
@usableFromInline
package struct Token: Sendable {
    let run: FutureRun
    let id: FutureRun.InterestID

    func giveUp() -> FutureRun.Aftermath? { run.leaving(id) }
}

/// What a future waits for: given up, in one place, when the future settles (contract rule INTEREST).
enum Source: Sendable {
    /// A token for another future.
    case token(Token)
    /// The parts of a join.
    case join(JoinCore)

    func giveUp() -> [FutureRun.Aftermath] {
        switch self {
        case .token(let token): token.giveUp().map { [$0] } ?? []
        case .join(let join): join.giveUp()
        }
    }

    func escalate(to priority: TaskPriority) -> [FutureRun] {
        switch self {
        case .token(let token): [token.run]
        case .join(let join): join.escalate(to: priority)
        }
    }
}
