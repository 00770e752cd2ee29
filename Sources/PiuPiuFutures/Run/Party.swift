/// A party that is interested in a future, and holds a token for it (contract rule INTEREST).
///
/// One word, as it moves with the state of a future.
enum Party: Sendable {
    /// A task that has not suspended yet.
    case runningTask
    /// The work of a dependent future that has not suspended yet.
    case work(FutureRun)
    /// A suspended task, or the suspended work of a dependent future.
    case awaiter(Awaiter)
    /// A future that is fulfilled by the one that it waits for.
    case fulfilled(AnyResponseFuture)
    /// One future of a join or a sequence.
    case part(ObservedPart)

    /// Whether it is a task that waits, or is about to, and works for no other future.
    var isPlainAwaiter: Bool {
        switch self {
        case .runningTask: true
        case .awaiter(let awaiter): awaiter.child == nil
        case .work, .fulfilled, .part: false
        }
    }

    /// Whether the future that is to be made from the other one has settled. Called under the lock of that other one.
    var isOfSettledFuture: Bool {
        switch self {
        case .work(let run): run.has(.settled)
        case .fulfilled(let future): future.existingRun?.has(.settled) == true
        case .part(let part): part.observer.updateReceiver?.has(.settled) == true
        case .runningTask, .awaiter: false
        }
    }

    /// The run that gets the updates, too.
    var receiver: FutureRun? {
        switch self {
        case .runningTask: nil
        case .work(let run): run
        case .awaiter(let awaiter): awaiter.child
        case .fulfilled(let future): future.existingRun
        case .part(let part): part.observer.updateReceiver
        }
    }

    /// The run that gets this update, if it wants it. Called under the lock of the future.
    func receiver(of update: TransferUpdate) -> FutureRun? {
        if case .part(let part) = self, !part.observer.wants(update, from: part.place) { return nil }
        return receiver
    }

    /// Whether the task waits for this future. Called outside all locks.
    func isAwaited(by task: TaskIdentity) -> Bool {
        switch self {
        case .runningTask, .work, .fulfilled: false
        case .awaiter(let awaiter): awaiter.task == task
        case .part(let part): part.observer.isAwaited(by: task)
        }
    }

    /// The future has settled: changes the states of dependent runs. Called on any thread, outside all locks.
    func didSettle(with outcome: FutureRun.Outcome) -> [FutureRun.Aftermath] {
        switch self {
        case .runningTask, .work, .awaiter: []
        case .fulfilled(let future): future.run.settling(outcome).map { [$0] } ?? []
        case .part(let part): part.observer.didSettle(part.place, with: outcome)
        }
    }

    /// All states have changed: resumes what waits.
    func resume(with outcome: FutureRun.Outcome) {
        switch self {
        case .runningTask, .work, .fulfilled: break
        case .awaiter(let awaiter): awaiter.resume(returning: outcome)
        case .part(let part): part.observer.resumeWaiters()
        }
    }
}

/// The place of a future in a join or a sequence.
final class ObservedPart: Sendable {
    let observer: any OutcomeObserver
    let place: Int

    init(_ observer: any OutcomeObserver, _ place: Int) {
        self.observer = observer
        self.place = place
    }
}

/// Observes the outcomes of several futures, without a task for each.
@usableFromInline
package protocol OutcomeObserver: AnyObject, Sendable {
    /// The run that gets the futures' updates.
    var updateReceiver: FutureRun? { get }

    /// Whether that run gets this update. Called under the lock of the future, so it calls nothing else.
    func wants(_ update: TransferUpdate, from place: Int) -> Bool

    /// Whether the task waits for the futures, which it iterates. Called outside all locks.
    func isAwaited(by task: TaskIdentity) -> Bool

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

    /// Nothing iterates them.
    @usableFromInline
    package func isAwaited(by task: TaskIdentity) -> Bool { false }
}

/// Names an interest in a future, and can give it up (contract rule INTEREST).
@usableFromInline
package struct Token: Sendable {
    let run: FutureRun
    let id: FutureRun.InterestID

    func giveUp() -> FutureRun.Aftermath? { run.leaving(id) }
}

/// What a future gets its outcome or its updates from, given up when the future settles (contract rule INTEREST).
enum Source: Sendable {
    /// A token for another future.
    case token(Token)
    /// The parts of a join.
    case join(JoinCore)
    /// A transfer that reports to it from outside.
    case transfer(TransferSource)

    func giveUp() -> [FutureRun.Aftermath] {
        switch self {
        case .token(let token): token.giveUp().map { [$0] } ?? []
        case .join(let join): join.giveUp()
        case .transfer: []
        }
    }

    func escalate(to priority: TaskPriority) -> [FutureRun] {
        switch self {
        case .token(let token): [token.run]
        case .join(let join): join.escalate(to: priority)
        case .transfer: []
        }
    }
}
