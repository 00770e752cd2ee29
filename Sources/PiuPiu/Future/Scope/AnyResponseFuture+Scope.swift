extension AnyResponseFuture {
    /// This future, which is cancelled with the scope, unless its last callback has run before.
    ///
    /// ```swift
    /// client.posts().bound(to: scope).success { [weak self] in self?.show($0) }.send()
    /// ```
    ///
    /// It is no operator: the same future, with its callbacks. It starts nothing (contract rule COLD), keeps neither the
    /// future nor the scope, and may be said before the start or after it, of several scopes too. A future that has not been
    /// started when the scope is cancelled never is (EARLY); one that is bound to a cancelled scope is cancelled at once;
    /// one that has settled stays as it is.
    ///
    /// What is made from this future is cancelled with it, what it was made from only if nobody else is interested in that:
    /// so bind the last future of a chain. The body of a stream, which comes after its future, is bound by
    /// ``Dispatching/bound(to:)``.
    ///
    /// Combine: `store(in:)`; RxSwift: `disposed(by:)`.
    public final func bound(to scope: FutureScope) -> Self {
        bind(to: scope.members)
        return self
    }

    final func bind(to members: ScopeMembers) {
        let run = run
        guard !run.status.isComplete else { return }
        let membership = members.enter { [weak self, weak run] in
            // The run may live longer than what was bound, as that of a promise does.
            if let self { self.cancel() } else { _ = run?.cancel() }
        }
        guard let membership else { return cancel() }
        // It may have settled meanwhile: then nobody holds this, and it leaves.
        run.hold(membership)
    }
}

extension FutureRun {
    /// Keeps it in a scope; one that has settled has left it, or does when this returns.
    nonisolated func hold(_ membership: ScopeMembership) {
        enter(membership) { run, membership in
            if !run.machine.isSettled { run.memberships.append(membership) }
        }
    }
}
