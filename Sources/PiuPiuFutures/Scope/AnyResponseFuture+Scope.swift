extension AnyResponseFuture {
    /// Binds this future to a scope, which cancels it unless its last callback has run before.
    ///
    /// ```swift
    /// client.posts().bound(to: scope).success { [weak self] in self?.show($0) }.send()
    /// ```
    ///
    /// It is no operator: it returns the same future, with its callbacks. It starts nothing (contract rule COLD),
    /// retains neither the future nor the scope, and may be called before or after the start, also for several scopes.
    /// A future that has not been started when the scope is cancelled never starts (EARLY). One that is bound to a
    /// cancelled scope is cancelled at once; a settled one stays as it is.
    ///
    /// Futures made from this one are cancelled with it. The futures that it was made from are cancelled only if nobody
    /// else is interested in them. So bind the last future of a chain. The body of a stream, which comes after its
    /// future, is bound by ``Dispatching/bound(to:)``.
    ///
    /// Combine: `store(in:)`; RxSwift: `disposed(by:)`.
    public final func bound(to scope: FutureScope) -> Self {
        bind(to: scope.members)
        return self
    }

    package final func bind(to members: ScopeMembers) {
        let run = run
        guard !run.status.isComplete else { return }
        let member = ScopeMembers.Member.future { [weak self, weak run] in
            // The run may outlive the bound future, as that of a promise does.
            run.map { ScopeMembers.CancelledFuture(cancellation: $0.cancelling(), future: self) }
        }
        let membership = members.enter(member)
        guard let membership else { return cancel() }
        // If the future has settled meanwhile, nothing retains the membership, and it leaves.
        run.hold(membership)
    }

    /// Whether it belongs to this scope.
    package final func isBound(to members: ScopeMembers) -> Bool { existingRun?.isMember(of: members) ?? false }
}

extension FutureRun {
    /// Retains the membership in a scope, unless the future has settled: then the membership ends when this returns.
    nonisolated func hold(_ membership: ScopeMembership) {
        enter(membership) { run, membership in
            if !run.machine.isSettled { run.memberships.append(membership) }
        }
    }

    nonisolated func isMember(of members: ScopeMembers) -> Bool {
        enter(members) { run, members in run.memberships.contains { $0.members === members } }
    }
}
