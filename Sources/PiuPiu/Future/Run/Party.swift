/// Somebody who is interested in a future, and holds a token for it (contract rule INTEREST).
@usableFromInline
enum Party: Sendable {
    /// A task; its continuation, once it is suspended.
    case awaiter(Awaiter<FutureRun.Outcome>?)
    /// A future made from this one, which is updated too; the continuation of its task, once that is suspended.
    case child(FutureRun, Awaiter<FutureRun.Outcome>?)
    /// A future that this one fulfills.
    case target(AnyResponseFuture)
    /// A join or a sequence, and the place of this future in it.
    case observer(any OutcomeObserver, Int)

    /// The run that is updated too.
    var receiver: FutureRun? {
        switch self {
        case .awaiter: nil
        case .child(let run, _): run
        case .target(let future): future.existingRun
        case .observer(let observer, _): observer.updateReceiver
        }
    }
}

/// Somebody who observes the ends of several futures, without a task for each.
@usableFromInline
package protocol OutcomeObserver: AnyObject, Sendable {
    /// The run that is updated by the futures' updates.
    var updateReceiver: FutureRun? { get }

    /// One of the futures has settled: changes the states of others that depend on that. Called on any thread, outside
    /// all locks.
    func didSettle(_ place: Int, with outcome: FutureOutcome<any FutureValue>) -> [FutureRun.Aftermath]

    /// All states have changed: those who wait for the observer may go on.
    func resumeWaiters()
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
