/// Finds futures that would wait for themselves, and so for ever (contract rule NEVER-HANG).
extension FutureRun {
    /// How many futures a search visits at most, so that an await doesn't search a very long chain to its end.
    private static let searchLimit = 1_000

    /// Whether the task does the work of this future, or of a future that this one waits for.
    nonisolated func dependsOn(_ task: TaskIdentity) -> Bool {
        search { run, limit in
            let (worker, sources) = run.enter(()) { run, _ in (run.worker, run.sources) }
            return worker == task ? nil : sources.runs(limit)
        }
    }

    /// Whether this is the other future, waits for it, or awaits it in its work.
    nonisolated func dependsOn(_ other: FutureRun) -> Bool {
        if self === other { return true }
        if waitsForNothing { return false }
        // The tasks that work for this future and for those that it waits for: mostly none, or one.
        var worker = TaskIdentity.none
        var further: [TaskIdentity] = []
        let isFound = search { run, limit in
            let (task, sources) = run.enter(()) { run, _ in (run.worker, run.sources) }
            if worker == .none { worker = task } else if task != .none { further.append(task) }
            return run === other ? nil : sources.runs(limit)
        }
        if isFound { return true }
        guard worker != .none else { return false }
        return other.search { run, limit in
            let parties = run.enter(()) { run, _ in run.machine.interests }
            var receivers: [FutureRun] = []
            var isFound = false
            parties.forEach { party in
                if party.isAwaited(by: worker) || further.contains(where: party.isAwaited) { isFound = true }
                if receivers.count < limit, let receiver = party.receiver { receivers.append(receiver) }
            }
            return isFound ? nil : receivers
        }
    }

    /// Whether no task works for this future yet, and it waits for no other, as most do that have just been launched.
    private nonisolated var waitsForNothing: Bool {
        enter(()) { run, _ in run.worker == .none && run.sources.isEmpty }
    }

    /// Silences a party: its token stays, but it is not notified when this future settles.
    ///
    /// - Returns: false if this future has settled, and notified the party, or if the party has left.
    nonisolated func silence(_ id: InterestID) -> Bool {
        enter(id) { run, id in run.machine.wait(id, as: .runningTask) == nil }
    }

    /// Visits this future, and then others.
    ///
    /// - Parameter next: returns the futures to visit after this one, at most the given number of them; `nil` when this
    ///   is the one searched for.
    private nonisolated func search(where next: (FutureRun, Int) -> [FutureRun]?) -> Bool {
        var run = self
        // Most futures wait for nothing, and so allocate nothing here.
        var others: [FutureRun] = []
        var rest = Self.searchLimit
        while true {
            guard let further = next(run, rest) else { return true }
            others += further
            rest -= further.count
            guard let other = others.popLast() else { return false }
            run = other
        }
    }
}

extension ShortList where Element == Source {
    /// The futures of these sources, as many as the limit at most.
    fileprivate func runs(_ limit: Int) -> [FutureRun] {
        var runs: [FutureRun] = []
        forEach { source in
            guard runs.count < limit else { return }
            switch source {
            case .token(let token): runs.append(token.run)
            case .join(let join): runs += join.runs(limit - runs.count)
            case .transfer: break
            }
        }
        return runs
    }
}
