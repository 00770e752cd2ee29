public import Synchronization

/// Whether code in this isolation belongs to no actor, so that work of the background may run in its place.
private func isOutsideActors(_ isolation: (any Actor)?) -> Bool {
    if isolation == nil { true } else { false }
}

extension ResponseFuture {
    /// The body of the run's own task.
    func work() async {
        let outcome = await perform(for: run)
        run.settle(outcome.erased)
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
        if Task.isCancelled { return lazyRun.load()?.settledOutcome?.typed() ?? .cancelled }
        return await outcome(after: run.join())
    }

    /// The outcome, for a child that reserved its place when it was started.
    @usableFromInline
    func outcome(reservedFor child: any UpdateReceiver) async -> FutureOutcome<Success> {
        await outcome(after: run.takeReservation(of: child))
    }

    private func outcome(after join: FutureRun.Machine.Join) async -> FutureOutcome<Success> {
        switch join {
        case .settled(let outcome):
            return outcome.typed()
        case .launch(let id):
            if claimForRun() { launch(inPlace: isOutsideActors(#isolation)) }
            if let outcome = run.settledOutcome { return outcome.typed() }
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
        guard let parent = link.parent as? ResponseFuture<Success> else { throw CancellationError() }
        let outcome =
            if link.runsParent {
                await parent.performInPlace(for: receiver)
            } else {
                await parent.outcome(reservedFor: receiver)
            }
        link.parent = nil
        let value = try outcome.get()
        if Task.isCancelled { throw CancellationError() }
        return value
    }

    /// Runs a link that was claimed for its only child.
    @inlinable
    func performInPlace(for receiver: any UpdateReceiver) async -> FutureOutcome<Success> {
        let outcome = await perform(for: receiver)
        let claim = Claim(rawValue: claim.exchange(Claim.consumed.rawValue, ordering: .sequentiallyConsistent))
        // Somebody came to this link through a weak reference meanwhile.
        if claim.contains(.observed), let run = lazyRun.load() { run.settle(outcome.erased) }
        return outcome
    }
}
