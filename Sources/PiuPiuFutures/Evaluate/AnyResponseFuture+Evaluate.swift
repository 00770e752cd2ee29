extension FutureRun {
    /// Throws a `CancellationError` if the work for this future is over: its task is cancelled, or will be as soon as the
    /// thread that cancels the future has called the handlers of other tasks. Checked after each wait (contract rule UP).
    nonisolated func checkWork() throws {
        if Task.isCancelled || has(.settled) { throw CancellationError() }
    }
}

extension AnyResponseFuture {
    /// Where the parent's value comes from.
    @usableFromInline
    enum ParentWork {
        /// From the parent itself, which is evaluated as a part of this link's work.
        case inPlace(AnyResponseFuture)
        case settled(FutureRun.Outcome)
        /// The link has to wait for it.
        case unsettled
    }

    /// Takes the parent out, so that this link no longer retains it, and claims it if that has not been done before.
    @usableFromInline
    final func takeParent() -> ParentWork {
        if case .none = parentClaim { claimParent() }
        if case .inPlace = parentClaim { return parent.take().map(ParentWork.inPlace) ?? .settled(.cancelled) }
        guard let parent else { return .settled(.cancelled) }
        guard let outcome = parent.existingRun?.settledOutcome else { return .unsettled }
        dropParent()
        return .settled(outcome)
    }

    /// Undoes ``takeParent()``, except for the claim.
    @usableFromInline
    final func putBack(_ parent: AnyResponseFuture) {
        self.parent = parent
    }

    /// A place above a link where evaluation stops, because something there has to be done first.
    private enum Stop {
        /// The parent of this link has a run of its own: wait for it.
        case wait(AnyResponseFuture)
        /// This link is settled in place: its work may suspend, or the stack has no room for more below it.
        case settle(AnyResponseFuture)
    }

    /// Settles everything above this link that its own work depends on, from the top, and waits where necessary.
    @usableFromInline
    final func settleAbove(for head: FutureRun) async throws {
        // A cancelled chain starts nothing more (contract rule EARLY).
        try head.checkWork()
        var stops: [Stop] = []
        addStops(to: &stops, for: head)
        while let stop = stops.last {
            switch stop {
            case .wait(let link):
                try await link.waitForParent(for: head)
                stops.removeLast()
            case .settle(let link) where link.kind == .synchronous:
                // Its work may have made other futures, which have to settle first.
                if link.settleInPlaceNow(for: head) { stops.removeLast() } else { link.addStops(to: &stops, for: head) }
            case .settle(let link):
                await link.settleInPlace(for: head)
                stops.removeLast()
            }
            // The wait of a cancelled task ends early.
            try head.checkWork()
        }
    }

    /// Adds the stops above this link, the lowest first, and starts what has not begun there.
    private final func addStops(to stops: inout [Stop], for head: FutureRun) {
        startAbove(for: head)?.launch(isHere: true)
        var link = self
        var depth = 0
        while true {
            switch link.parentClaim {
            case .inPlace:
                guard let parent = link.parent else { return }
                depth += parent.depth
                if parent.kind.maySuspend || link.kind.maySuspend || depth >= WorkContext.depthLimit / 2 {
                    stops.append(.settle(parent))
                    depth = 0
                }
                link = parent
            case .token:
                if link.parent != nil { stops.append(.wait(link)) }
                return
            case .none:
                return
            }
        }
    }

    /// Waits for the parent, which has a run of its own. This link doesn't retain it meanwhile: the promise of an
    /// action must be able to go unsettled (contract rule NEVER-HANG).
    private final func waitForParent(for head: FutureRun) async throws {
        guard case .token(let id) = parentClaim, let run = parent?.run else { return }
        dropParent()
        _ = await run.outcome(for: id, child: head)
        head.drop(id, for: run)
        parentClaim = .none
        parent = AnyResponseFuture(standingFor: run, isPromise: false)
    }
}
