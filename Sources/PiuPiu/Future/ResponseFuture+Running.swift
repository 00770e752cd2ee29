extension ResponseFuture {
    /// The body of the run's own task.
    func work() async {
        let outcome = await perform(for: run)
        run.settle(outcome.erased, byWork: true)
    }

    /// Does the work of this link, which the caller has claimed, and lets go of it.
    ///
    /// A function of its own, so that what the work captured is gone when it returns (contract rule RELEASE).
    @inlinable
    func perform(for receiver: any UpdateReceiver) async -> FutureOutcome<Success> {
        guard case .operation(let operation) = takeStage() else { return .cancelled }
        do {
            return .success(try await operation(self, receiver))
        } catch {
            return FutureOutcome(failure: error)
        }
    }

    @inlinable
    func takeStage() -> Stage {
        defer { stage = .taken }
        return stage
    }

    /// The outcome, for an awaiter.
    func outcome() async -> FutureOutcome<Success> {
        if Task.isCancelled { return existingRun?.settledOutcome?.typed() ?? .cancelled }
        let run = run
        switch run.join() {
        case .settled(let outcome):
            return outcome.typed()
        case .launch(let id):
            if claimForRun() { launch() }
            return await run.outcome(for: id).typed()
        case .wait(let id):
            return await run.outcome(for: id).typed()
        }
    }

    /// The value of the parent of `link`, for the work of `link`, which then lets go of the parent.
    ///
    /// A parent that only this chain can reach is run here, in place: no task, no actor, no memory of the outcome.
    @inlinable
    static func pull(from link: AnyResponseFuture, for receiver: any UpdateReceiver) async throws -> Success {
        let outcome =
            if link.runsParent, let parent = link.parent as? ResponseFuture<Success> {
                await parent.performInPlace(for: receiver)
            } else if let parentRun = takeParentRun(of: link) {
                await parentRun.outcome(reservedFor: receiver).typed(as: Success.self)
            } else {
                FutureOutcome<Success>.cancelled
            }
        link.parent = nil
        if Task.isCancelled { throw CancellationError() }
        return try outcome.get()
    }

    /// Lets go of the parent before the wait for it: if that is the promise of an action, nothing but the action's own
    /// references keeps it (contract rule NEVER-HANG).
    @usableFromInline
    static func takeParentRun(of link: AnyResponseFuture) -> FutureRun? {
        link.parent.take()?.run
    }

    /// Runs a link that was claimed for its only child.
    @inlinable
    func performInPlace(for receiver: any UpdateReceiver) async -> FutureOutcome<Success> {
        let outcome = await perform(for: receiver)
        // Somebody may have come to this link through a weak reference meanwhile.
        if mark(.consumed).contains(.observed), let storedRun { storedRun.settle(outcome.erased) }
        return outcome
    }
}
