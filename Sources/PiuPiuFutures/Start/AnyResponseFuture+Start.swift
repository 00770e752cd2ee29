extension AnyResponseFuture {
    /// Claims every link above that only this chain can reach, starts the futures above that other code can reach, too,
    /// and begins the work of all of them, the uppermost first. Only the caller that claimed this link may call this.
    ///
    /// A loop, not a recursion, and on the caller's thread, so that a legacy action runs there (contract rules DEPTH
    /// and SYNC-START).
    ///
    /// - Parameter isHere: whether work may begin on the caller's stack, up to its first suspension; only where the
    ///   caller is on no actor (contract rule BACKGROUND).
    @usableFromInline
    final func launch(isHere: Bool = false) {
        launchAbove(isHere: isHere) ? beginWork(isHere: isHere) : dropWork()
    }

    /// The part of ``launch(isHere:)`` above this link.
    ///
    /// - Returns: whether this link's own work is still wanted: the work of a future that began before may have settled
    ///   it (contract rule EARLY). Other work than an action notices a cancellation itself.
    @usableFromInline
    final func launchAbove(isHere: Bool) -> Bool {
        var launched = hasParent ? startAbove(for: run) : nil
        if launched == nil, kind != .action { return true }
        var above: [AnyResponseFuture] = []
        while let future = launched {
            above.append(future)
            launched = future.startAbove(for: future.run)
        }
        for future in above.reversed() {
            future.isWanted ? future.beginWork(isHere: isHere) : future.dropWork()
        }
        return isWanted
    }

    /// Whether the work should begin, now that everything above has begun.
    private final var isWanted: Bool { kind == .supervising || !run.has(.settled) }

    /// Claims the links above this one, up to the first future that other code can reach, too, and takes a token for
    /// that one.
    ///
    /// - Parameter head: the run that this link is a part of.
    /// - Returns: that future, if the caller has to begin it.
    final func startAbove(for head: FutureRun) -> AnyResponseFuture? {
        var link = self
        while true {
            if case .none = link.parentClaim, link.parent != nil { link.claimParent() }
            switch link.parentClaim {
            case .inPlace:
                guard let parent = link.parent else { return nil }
                link = parent
            case .token:
                return nil
            case .none:
                return link.parent?.join(below: link, for: head)
            }
        }
    }

    /// Claims the parent as a part of this link's work, if nothing else can reach it.
    @usableFromInline
    final func claimParent() {
        if Privacy.isOnlyReference(&parent), parent?.claimInPlace() == true { parentClaim = .inPlace }
    }

    private final func join(below link: AnyResponseFuture, for head: FutureRun) -> AnyResponseFuture? {
        // It may release callbacks, and cancel this future.
        guard let token = EarlyParts.callOut({ takeToken(.work(head), for: head) }) else { return nil }
        link.parentClaim = .token(token.id)
        return token.mustLaunch ? self : nil
    }

    /// Takes a token for this future. `head` holds it until it settles (contract rule INTEREST). A `head` that would
    /// wait for itself fails.
    ///
    /// - Parameter keepsCallbacks: whether the callbacks of this future stay, unlike those below an operator.
    /// - Returns: the name of the token, and whether the caller has to launch this future; `nil` if it, or `head`, has
    ///   settled.
    final func takeToken(
        _ party: Party, for head: FutureRun, keepsCallbacks: Bool = false
    ) -> (id: FutureRun.InterestID, mustLaunch: Bool)? {
        let run = run
        switch keepsCallbacks ? run.join(party) : run.join(below: party) {
        case .settled:
            return nil
        case .wait(let id):
            if head.hold(.token(Token(run: run, id: id))) { run.escalateToCurrentTask() } else { run.leave(id) }
            // Checked only now: see `FutureRun.wait(_:as:)`. The end of `head` gives the token back.
            if run.dependsOn(head) { head.settle(.failure(FutureError.waitsForItself)) }
            return (id, false)
        case .launch(let id):
            if !head.hold(.token(Token(run: run, id: id))) { run.leave(id) }
            // Only now, too: others may be making it wait, by fulfilling it.
            if run.dependsOn(head), endCircle(of: head, id) { return nil }
            return (id, claimForRun())
        }
    }

    /// Fails `head`, which fulfills this future, perhaps through others: so this one fails with it.
    ///
    /// The token that `head` holds is not given back: nobody else may be interested in this future, and it would be
    /// cancelled before the failure gets here.
    ///
    /// - Returns: whether this future has settled, and its own work must not begin.
    private final func endCircle(of head: FutureRun, _ id: FutureRun.InterestID) -> Bool {
        head.drop(id, for: run)
        head.settle(.failure(FutureError.waitsForItself))
        guard run.status.isComplete else { return false }
        disown()
        return true
    }
}
