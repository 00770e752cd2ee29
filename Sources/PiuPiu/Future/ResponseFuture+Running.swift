extension ResponseFuture {
    /// Begins the work, which the caller has claimed for a run of its own.
    ///
    /// - Parameter isHere: whether the work may begin on the caller's stack, up to its first suspension; only where the
    ///   caller is on no actor (contract rule BACKGROUND).
    @inlinable
    func startWork(isHere: Bool = false) {
        if case .action(let action) = stage {
            stage = .taken
            return begin(action)
        }
        if isHere, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
            StartNesting.run({ startHere() })
        {
            return
        }
        run.adopt(Task { @concurrent in await self.work() })
    }

    @inlinable @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func startHere() {
        let work = Task.immediate {
            self.run.adoptCurrentTask()
            await self.work()
        }
        if !marks.contains(.remembered) { run.adopt(work) }
    }

    @inlinable
    func start(for run: FutureRun, isHere: Bool = false) {
        beginFuturesAbove(for: run)
        startWork(isHere: isHere)
    }

    /// The body of the run's own task.
    @inlinable
    func work() async {
        let outcome = await perform(for: run).boxed
        if run.settle(outcome.erasingBox(), byWork: true) { remember(outcome) }
    }

    /// Keeps the outcome of the run in the link itself; to be called by whoever has settled the run and done the work.
    @inlinable
    func remember(_ outcome: FutureOutcome<TypedFutureValue<Success>>) {
        stage = .settled(outcome)
        _ = mark(.remembered)
    }

    /// What has come of the work, as far as the link itself knows.
    @inlinable
    var rememberedOutcome: FutureOutcome<TypedFutureValue<Success>>? {
        guard marks.contains(.remembered), case .settled(let outcome) = stage
        else { return nil }
        return outcome
    }

    /// Does the work of this link, which the caller has claimed, and lets go of it.
    @inlinable
    func perform(for receiver: any UpdateReceiver) async -> FutureOutcome<Success> {
        do {
            if kind != .synchronous { return .success(try await performOperation(for: receiver)) }
            if !isSynchronousThroughout { try await waitForFuturesAbove(for: receiver) }
            while true {
                do {
                    var context = WorkContext(receiver: receiver)
                    return .success(try performTransform(in: &context))
                } catch is MustWait {
                    try await settleFuturesAbove(for: receiver)
                }
            }
        } catch {
            _ = takeStage()
            abandonFuturesAbove()
            return FutureOutcome(failure: error)
        }
    }

    // Functions of their own, so that what the work captured is gone when they return (contract rule RELEASE).

    @inlinable
    func performOperation(for receiver: any UpdateReceiver) async throws -> Success {
        switch takeStage() {
        case .operation(let operation): return try await operation(self, receiver)
        case .join(let join): return try await join.operation(self, receiver)
        case .settled(let outcome): return try outcome.unboxed()
        case .transform, .action, .promise, .taken: throw CancellationError()
        }
    }

    /// - Throws: also ``MustWait``; the work can be tried again after ``waitForFuturesAbove(for:)``.
    @inlinable @inline(__always)
    func performTransform(in context: inout WorkContext) throws -> Success {
        switch takeStage() {
        case .transform(let transform):
            do {
                return try transform(self, &context)
            } catch let error as MustWait {
                if case .taken = stage { stage = .transform(transform) }
                throw error
            }
        case .settled(let outcome):
            return try outcome.unboxed()
        case .operation(let operation):
            stage = .operation(operation)
            throw MustWait()
        case .join(let join):
            stage = .join(join)
            throw MustWait()
        case .action, .promise, .taken:
            throw CancellationError()
        }
    }

    @inlinable @inline(__always)
    func takeStage() -> Stage {
        var taken = Stage.taken
        swap(&taken, &stage)
        return taken
    }

    /// The outcome, for an awaiter, which may have claimed the link already.
    @inlinable
    func outcome(isClaimed: Bool = false) async -> FutureOutcome<Success> {
        if !isClaimed, Task.isCancelled { return existingRun?.settledOutcome?.typed() ?? .cancelled }
        let run = run
        switch run.join() {
        case .settled(let outcome):
            if isClaimed { letGoOfWork() }
            return outcome.typed()
        case .wait(let id) where !isClaimed:
            return await run.outcome(for: id).typed()
        case .launch(let id), .wait(let id):
            // A legacy action belongs on the thread of the awaiter (contract rule SYNC-START).
            let isolation = #isolation
            if isolation != nil {
                if isClaimed || claimForRun() { start(for: run) }
                return await run.outcome(for: id).typed()
            }
            let outcome = await run.outcome(for: id) { isWanted in
                guard isClaimed || claimForRun() else { return nil }
                isWanted ? start(for: run, isHere: true) : letGoOfWork()
                return rememberedOutcome?.erasingBox()
            }
            return outcome.typed()
        }
    }

    /// The value of the parent of `link`, for the work of `link`, which then lets go of the parent.
    ///
    /// A parent that only this chain can reach is run here, in place: no task, no actor, no memory of the outcome.
    @inlinable
    static func pull(from link: AnyResponseFuture, for receiver: any UpdateReceiver) async throws -> Success {
        let outcome =
            switch link.takeParent() {
            case .inPlace(let parent): await (parent as? ResponseFuture<Success>)?.performInPlace(for: receiver)
            case .observed(let run): await run.outcome(reservedFor: receiver).typed(as: Success.self)
            case .none: FutureOutcome<Success>?.none
            }
        guard let outcome, !Task.isCancelled else { throw CancellationError() }
        return try outcome.get()
    }

    /// The value of the parent of `link`, for the work of `link`, when nothing has to be waited for any more.
    @inlinable
    static func pull(from link: AnyResponseFuture, in context: inout WorkContext) throws -> Success {
        context.depth += 1
        defer { context.depth -= 1 }
        if context.depth >= WorkContext.depthLimit { try link.settleSynchronousFuturesAbove(in: context) }
        let value: Success
        switch try link.takeParentForSynchronousWork() {
        case .inPlace(let parent):
            guard let parent = parent as? ResponseFuture<Success> else { throw CancellationError() }
            do {
                value = try parent.valueInPlace(in: &context)
            } catch let error as MustWait {
                link.putBack(parent)
                throw error
            }
        case .observed(let run):
            guard let outcome = run.settledOutcome else { throw CancellationError() }
            value = try outcome.typed(as: Success.self).get()
        case .none:
            throw CancellationError()
        }
        if Task.isCancelled { throw CancellationError() }
        return value
    }

    /// Runs a link that was claimed for its only child or awaiter.
    @inlinable
    func performInPlace(for receiver: any UpdateReceiver) async -> FutureOutcome<Success> {
        let outcome = await perform(for: receiver)
        didConsume { outcome.erased }
        return outcome
    }

    /// The same without a suspension.
    ///
    /// - Throws: also ``MustWait``; the link can be tried again then.
    @inlinable
    func valueInPlace(in context: inout WorkContext) throws -> Success {
        // Its outcome is in it already, and has been told of.
        if marks.contains(.consumed) { return try performTransform(in: &context) }
        do {
            let value = try performTransform(in: &context)
            didConsume { .success(TypedFutureValue(value)) }
            return value
        } catch let error as MustWait {
            throw error
        } catch {
            didConsume { FutureOutcome(failure: error) }
            throw error
        }
    }
}

extension AnyResponseFuture {
    /// Tells those who have come to this link through a weak reference while it was run in place.
    @inlinable
    final func didConsume(_ outcome: () -> FutureRun.Outcome) {
        if mark(.consumed).contains(.observed) { existingRun?.settle(outcome()) }
    }

    /// Lets go of the links above that were to be run in place, and never will be.
    @usableFromInline
    final func abandonFuturesAbove() {
        var link = self
        while let parent = link.parent.take() {
            guard link.runsParent else { break }
            if !parent.marks.contains(.consumed) { parent.didConsume { .cancelled } }
            link = parent
        }
    }

    /// Where the parent's value comes from.
    @usableFromInline
    enum ParentWork {
        /// From the parent itself, which is run as a part of this link's work.
        case inPlace(AnyResponseFuture)
        case observed(FutureRun)
        case none
    }

    /// Lets go of the parent before its work, or the wait for it: if it is the promise of an action, nothing but the
    /// action's own references keeps it (contract rule NEVER-HANG).
    @usableFromInline
    final func takeParent() -> ParentWork {
        guard let parent = parent.take() else { return .none }
        return runsParent ? .inPlace(parent) : .observed(parent.run)
    }

    /// The same for work that must not be suspended: claims the parent now, if that has not been done before.
    ///
    /// - Throws: ``MustWait`` if the parent's value may have to be waited for; nothing has changed then.
    @usableFromInline
    final func takeParentForSynchronousWork() throws(MustWait) -> ParentWork {
        if runsParent || claimParent() { return takeParent() }
        guard let parent else { return .none }
        guard let run = parent.existingRun, run.status.isComplete else { throw MustWait() }
        self.parent = nil
        return .observed(run)
    }

    /// Claims the parent to be run as a part of this link's work, if nobody else can see it.
    private final func claimParent() -> Bool {
        guard isKnownUniquelyReferenced(&parent), parent?.claimForChild() == true else { return false }
        runsParent = true
        return true
    }

    /// Undoes ``takeParentForSynchronousWork()``, but for the claim.
    @usableFromInline
    final func putBack(_ parent: AnyResponseFuture) {
        self.parent = parent
    }

    /// Waits for what is not synchronous above this link, so that the rest can be run without a suspension.
    @usableFromInline
    final func waitForFuturesAbove(for receiver: any UpdateReceiver) async throws {
        let top = topOfSynchronousPart
        if top.runsParent {
            await top.parent?.settleInPlace(for: receiver)
        } else if let parentRun = top.parent.take()?.run {
            if parentRun === receiver { throw FutureError.waitsForItself }
            _ = await parentRun.outcome(reservedFor: receiver)
            top.parent = AnyResponseFuture(standingFor: parentRun)
        }
        // The wait of a cancelled task ends early.
        if Task.isCancelled { throw CancellationError() }
    }

    /// The uppermost link that is run in place, and without a suspension, with this one.
    private final var topOfSynchronousPart: AnyResponseFuture {
        var top = self
        while top.runsParent, let parent = top.parent, parent.kind == .synchronous { top = parent }
        return top
    }

    /// Runs what is above this link part by part, the uppermost first, and waits where it must.
    @usableFromInline
    final func settleFuturesAbove(for receiver: any UpdateReceiver) async throws {
        var ends = endsOfSynchronousParts(claimingParents: false)
        while let end = ends.last {
            do {
                var context = WorkContext(receiver: receiver)
                try end.settleInPlace(in: &context)
                ends.removeLast()
            } catch {
                try await end.waitForFuturesAbove(for: receiver)
            }
        }
        try await waitForFuturesAbove(for: receiver)
    }

    /// Runs a synchronous part of the chain that is too long to run on one stack (contract rule DEPTH).
    @usableFromInline
    final func settleSynchronousFuturesAbove(in context: WorkContext) throws(MustWait) {
        for end in endsOfSynchronousParts(claimingParents: true).reversed() {
            var nested = try context.nested()
            try end.settleInPlace(in: &nested)
        }
    }

    /// The lower ends of the parts into which what is run in place above this link is divided, from below: each part is
    /// short enough to run on one stack.
    private final func endsOfSynchronousParts(claimingParents: Bool) -> [AnyResponseFuture] {
        var ends: [AnyResponseFuture] = []
        var link = self
        var length = 0
        while link.runsParent || claimingParents && link.claimParent() {
            guard let parent = link.parent, parent.kind == .synchronous, !parent.marks.contains(.consumed) else {
                break
            }
            if length.isMultiple(of: WorkContext.depthLimit) { ends.append(parent) }
            length += 1
            link = parent
        }
        return ends
    }
}
