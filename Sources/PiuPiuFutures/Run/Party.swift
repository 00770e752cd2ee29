/// A party that is interested in a future, and holds a token for it (contract rule INTEREST).
///
/// Always an object, so that it is one reference: it moves with the state of a future.
protocol Party: AnyObject, Sendable {
    /// The run that gets the updates, too.
    var receiver: FutureRun? { get }

    /// The run that gets this update, if it wants it. Called under the lock of the future.
    func receiver(of update: TransferUpdate) -> FutureRun?

    /// The task that waits, if one does.
    var waitingTask: TaskReference? { get }

    /// The future has settled: changes the states of dependent runs. Called on any thread, outside all locks.
    func didSettle(with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath]

    /// All states have changed: resumes what waits.
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

/// The work of a dependent future that has not suspended yet.
extension FutureRun: Party {
    nonisolated var receiver: FutureRun? { self }
}

/// A suspended task, or the suspended work of a dependent future.
extension Awaiter: Party {
    var receiver: FutureRun? { child }
    var waitingTask: TaskReference? { task }

    func resume(with outcome: FutureOutcome<any FutureValue>) { resume(returning: outcome) }
}

/// A future that is fulfilled by the one that it waits for.
extension AnyResponseFuture: Party {
    var receiver: FutureRun? { existingRun }

    func didSettle(with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath] {
        run.settling(outcome).map { [$0] } ?? []
    }
}

/// One future of a join or a sequence.
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

/// Observes the outcomes of several futures, without a task for each.
@usableFromInline
package protocol OutcomeObserver: AnyObject, Sendable {
    /// The run that gets the futures' updates.
    var updateReceiver: FutureRun? { get }

    /// Whether that run gets this update. Called under the lock of the future, so it calls nothing else.
    func wants(_ update: TransferUpdate, from place: Int) -> Bool

    /// One of the futures has settled: changes the states of others that depend on that. Called on any thread, outside
    /// all locks.
    func didSettle(_ place: Int, with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath]

    /// All states have changed: resumes what waits for the observer.
    func resumeWaiters()
}

extension OutcomeObserver {
    /// All updates are wanted.
    @usableFromInline
    package func wants(_ update: TransferUpdate, from place: Int) -> Bool { true }
}

/// Names an interest in a future, and can give it up (contract rule INTEREST).
@usableFromInline
package struct Token: Sendable {
    let run: FutureRun
    let id: FutureRun.InterestID

    func giveUp() -> FutureRun.Aftermath? { run.leaving(id) }
}

/// Something that a future waits for, given up when the future settles (contract rule INTEREST).
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
